#version 330
// Four lanes become four pixels
uniform sampler2D SUBPIXEL;
out float luma;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 odd = at % 2;
    vec4 four = texelFetch(SUBPIXEL, at / 2, 0);
    vec2 pair = odd.y == 0 ? four.xy : four.zw;
    luma = odd.x == 0 ? pair.x : pair.y;
}
