#version 300 es
precision highp float;
precision highp sampler2D;

in vec2 st;
uniform sampler2D uImage, uKernel, uBias;
uniform vec2 uTiles, uImageTiles, uKernelTexel;
out float value;

const vec2 SIZE = vec2(10.0, 7.0);
const vec2 TAPS = vec2(5.0, 3.0);

vec2 tileOf(float i, float columns) {
    return vec2(mod(i, columns), floor((i + 0.5) / columns));
}

float softplus(float x) {
    return max(x, 0.0) + log(1.0 + exp(-abs(x)));
}

void main() {
    vec2 cell = floor(st * uTiles);
    vec2 texel = floor(fract(st * uTiles) * SIZE);
    float channel = cell.x + cell.y * uTiles.x;
    if (channel > 2.5) {
        value = 0.0;
        return;
    }

    float sum = 0.0;
    for (float i = 0.0; i < 5.0; i += 1.0) {
        vec2 corner = (cell * vec2(3.0, 2.0) + tileOf(i, 3.0)) * TAPS;
        for (float v = 0.0; v < TAPS.y; v += 1.0) {
            for (float u = 0.0; u < TAPS.x; u += 1.0) {
                vec2 at = texel + vec2(u, v) - vec2(2.0, 1.0);
                vec2 valid = step(vec2(0.0), at) * step(at, SIZE - 1.0);
                float x = textureLod(uImage, (tileOf(i, uImageTiles.x) + (at + 0.5) / SIZE) / uImageTiles, 0.0).r;
                float w = textureLod(uKernel, (corner + vec2(u, v) + 0.5) * uKernelTexel, 0.0).r;
                sum += valid.x * valid.y * x * w;
            }
        }
    }
    value = softplus(sum + textureLod(uBias, vec2((channel + 0.5) / 3.0, 0.5), 0.0).r);
}
