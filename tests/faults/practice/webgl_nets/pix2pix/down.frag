#version 300 es
// Half the size: 4x4 kernels, two texels a step, zeros around the picture.
precision highp float;
precision highp sampler2D;

uniform sampler2D uInput;
uniform sampler2D uKernels;
uniform sampler2D uBias;
uniform vec2 uOutTile;      // one channel of the result, in texels
uniform vec2 uOutGrid;      // how many of them side by side and above each other
uniform vec2 uInTile;
uniform vec2 uInGrid;
uniform float uInCount;

out vec4 fragColor;

vec2 place(float number, vec2 grid) {
    float row = floor((number + 0.5) / grid.x);
    return vec2(number - row * grid.x, row);
}

void main() {
    vec2 st = gl_FragCoord.xy / uOutTile;
    vec2 tile = floor(st);
    vec2 pixel = floor(fract(st) * uOutTile);
    float number = tile.y * uOutGrid.x + tile.x;

    vec2 first = pixel * 2.0 - 1.0;
    float sum = texture(uBias, vec2((number + 0.5) / float(textureSize(uBias, 0).x), 0.5)).r;
    for (float c = 0.0; c < uInCount; c += 1.0) {
        vec2 inTile = place(c, uInGrid);
        vec2 kernel = (tile * uInGrid + inTile) * 4.0;
        for (float v = 0.0; v < 4.0; v += 1.0) {
            for (float u = 0.0; u < 4.0; u += 1.0) {
                vec2 at = first + vec2(u, v);
                if (at.x < 0.0 || at.y < 0.0 || at.x >= uInTile.x || at.y >= uInTile.y) continue;
                float x = texture(uInput, (inTile * uInTile + at + 0.5) / (uInGrid * uInTile)).r;
                float w = texture(uKernels, (kernel + vec2(u, v) + 0.5) / (uOutGrid * uInGrid * 4.0)).r;
                sum += x * w;
            }
        }
    }
#ifdef SLOPE
    sum = sum < 0.0 ? SLOPE * sum : sum;
#endif
    fragColor = vec4(sum, 0.0, 0.0, 1.0);
}
