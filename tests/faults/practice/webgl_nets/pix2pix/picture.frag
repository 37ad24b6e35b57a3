#version 300 es
// The last layer: transposed 4x4 kernels in steps of the two that meet a texel, then tanh.
precision highp float;
precision highp sampler2D;

uniform sampler2D uInput;
uniform sampler2D uKernels;
uniform sampler2D uBias;
uniform vec2 uOutTile;
uniform vec2 uOutGrid;
uniform vec2 uInTile;
uniform vec2 uInGrid;
uniform float uInCount;

out vec4 fragColor;

float input_at(vec2 inTile, vec2 at) {
    vec2 inside = step(vec2(0.0), at) * step(at, uInTile - 1.0);
    return inside.x * inside.y * texture(uInput, (inTile * uInTile + at + 0.5) / (uInGrid * uInTile)).r;
}

void main() {
    vec2 st = gl_FragCoord.xy / uOutTile;
    vec2 tile = floor(st);
    vec2 pixel = floor(fract(st) * uOutTile);
    float number = tile.y * uOutGrid.x + tile.x;

    vec2 odd = mod(pixel + 1.0, 2.0);          // the first tap that meets this texel
    vec2 from = (pixel + 1.0 - odd) / 2.0;     // and the texel it comes from
    float sum = texelFetch(uBias, ivec2(number, 0.0), 0).r;
    for (float row = 0.0; row < uInGrid.y; row += 1.0) {
        for (float column = 0.0; column < uInGrid.x; column += 1.0) {
            vec2 inTile = vec2(column, row);
            if (row * uInGrid.x + column >= uInCount) break;
            vec2 kernel = (inTile * uOutGrid + tile) * 4.0 + odd;
            for (float v = 0.0; v < 2.0; v += 1.0) {
                for (float u = 0.0; u < 2.0; u += 1.0) {
                    float x = input_at(inTile, from - vec2(u, v));
                    sum += x * texelFetch(uKernels, ivec2(kernel + 2.0 * vec2(u, v)), 0).r;
                }
            }
        }
    }
    fragColor = vec4(tanh(sum));
}
