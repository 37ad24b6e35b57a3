#version 300 es
// Twice the size: transposed 4x4 kernels, stored inputs first; then the batch norm and ReLU.
precision highp float;
precision highp sampler2D;

uniform sampler2D uInput;
uniform sampler2D uKernels;
uniform sampler2D uScale;
uniform sampler2D uShift;
uniform sampler2D uMean;
uniform sampler2D uVariance;
uniform vec2 uOutTile;
uniform vec2 uOutGrid;
uniform vec2 uInTile;
uniform vec2 uInGrid;
uniform float uInCount;

out vec4 fragColor;

void main() {
    vec2 st = gl_FragCoord.xy / uOutTile;
    vec2 tile = floor(st);
    vec2 pixel = floor(fract(st) * uOutTile);
    int number = int(tile.y * uOutGrid.x + tile.x);

    float sum = 0.0;
    for (float c = 0.0; c < uInCount; c += 1.0) {
        vec2 inTile = vec2(mod(c, uInGrid.x), floor((c + 0.5) / uInGrid.x));
        vec2 kernel = (inTile * uOutGrid + tile) * 4.0;
        for (float v = 0.0; v < 4.0; v += 1.0) {
            for (float u = 0.0; u < 4.0; u += 1.0) {
                vec2 at = (pixel + 1.0 - vec2(u, v)) / 2.0;
                if (fract(at.x) > 0.25 || fract(at.y) > 0.25) continue;
                if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, uInTile))) continue;
                float x = texture(uInput, (inTile * uInTile + at + 0.5) / (uInGrid * uInTile)).r;
                float w = texture(uKernels, (kernel + vec2(u, v) + 0.5) / (uOutGrid * uInGrid * 4.0)).r;
                sum += x * w;
            }
        }
    }

    float scale = texelFetch(uScale, ivec2(number, 0), 0).r;
    float shift = texelFetch(uShift, ivec2(number, 0), 0).r;
    float mean = texelFetch(uMean, ivec2(number, 0), 0).r;
    float variance = texelFetch(uVariance, ivec2(number, 0), 0).r;
    sum = (sum - mean) * scale / sqrt(variance + 0.001) + shift;
    fragColor = vec4(max(sum, 0.0));
}
