#version 330 core
// First layer: 8 fine + 4 coarse features + 2 waves that tell where in a tile of 8 we are.

uniform sampler2D uFine;
uniform sampler2D uCoarse;
uniform sampler2D uW;        // 14 x 5: a column for each input, a row for four neurons
uniform sampler2D uB;

out vec4 oHidden;

#define W(i) texelFetch(uW, ivec2(i, quad), 0)

vec2 triangle(ivec2 p) {
    return abs(2.0 * fract(vec2(p) / 8.0) - 1.0);
}

vec4 hardSwish(vec4 x) {
    return x * clamp(x / 6.0 + 0.5, 0.0, 1.0);
}

void main() {
    ivec2 size = textureSize(uCoarse, 0);
    ivec2 px = ivec2(gl_FragCoord.xy);
    int quad = px.x / size.x;
    px.x -= quad * size.x;

    vec4 f0 = texelFetch(uFine, px, 0);
    vec4 f1 = texelFetch(uFine, px + ivec2(size.x, 0), 0);
    vec4 c = texelFetch(uCoarse, px, 0);
    vec2 wave = triangle(px);

    vec4 h = texelFetch(uB, ivec2(quad, 0), 0);
    h += W(0) * f0.x + W(1) * f0.y + W(2) * f0.z + W(3) * f0.w;
    h += W(4) * f1.x + W(5) * f1.y + W(6) * f1.z + W(7) * f1.w;
    h += W(8) * c.x + W(9) * c.y + W(10) * c.z + W(11) * c.w;
    h += W(12) * wave.x + W(13) * wave.y;
    oHidden = hardSwish(h);
}
