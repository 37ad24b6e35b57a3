#version 300 es
precision highp float;
precision highp sampler2D;
// nearest upsampling, 3x3, bias, noise, leaky relu

uniform sampler2D iChannel0; // 10 pictures of 5 x 3 in a grid of 4 x 3
uniform sampler2D iNoise;
uniform sampler2D iWeights;  // 3 texels a row, 7 * 10 * 3 rows
uniform sampler2D iBias;
uniform sampler2D iStrength;
out vec4 fragColor;

const vec2 S = vec2(10., 6.), LOW = vec2(5., 3.);

float up(float c, vec2 at) {
    if (any(lessThan(at, vec2(0.))) || any(greaterThanEqual(at, S))) return 0.;
    vec2 tile = vec2(mod(c, 4.), floor((c + .5) / 4.));
    return texture(iChannel0, (tile * LOW + at / 2.) / (LOW * vec2(4., 3.))).x;
}

void main() {
    vec2 tile = floor(gl_FragCoord.xy / S);
    vec2 q = mod(gl_FragCoord.xy, S);
    float o = tile.y * 3. + tile.x;
    float acc = 0.;
    for (float c = 0.; c < 10.; c++)
        for (float y = 0.; y < 3.; y++)
            for (float x = 0.; x < 3.; x++) {
                vec2 w = vec2(x + .5, (o * 10. + c) * 3. + y + .5) / vec2(3., 210.);
                acc += texture(iWeights, w).x * up(c, q + vec2(x, y) - 1.);
            }
    acc += texture(iBias, vec2((o + .5) / 7., .5)).x;
    acc += texture(iStrength, vec2(.5, (o + .5) / 7.)).x * texture(iNoise, q / S).x;
    fragColor = vec4(max(acc, .2 * acc));
}
