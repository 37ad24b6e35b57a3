#version 300 es
// Depthwise convolution 3x3 of stride 2, bias and ReLU; every place a share of the picture, floor and fract.
precision highp float;
precision highp sampler2D;

uniform sampler2D image;
uniform sampler2D kernels;
uniform sampler2D offsets;

const vec2 grid = vec2(3.0, 2.0);      // of channels, on both sides
const vec2 inSize = vec2(11.0, 9.0);
const vec2 outSize = vec2(6.0, 5.0);

out float result;

void main() {
    vec2 place = gl_FragCoord.xy / (grid * outSize) * grid;
    vec2 tile = floor(place);
    vec2 pixel = floor(fract(place) * outSize);
    float channel = tile.y * grid.x + tile.x;

    float sum = texture(offsets, vec2((channel + 0.5) / (grid.x * grid.y), 0.5)).r;
    for (int k = 0; k < 9; k++) {
        vec2 tap = vec2(k % 3, k / 3);
        vec2 at = pixel * 2.0 + tap - 1.0;
        if (clamp(at, vec2(0.0), inSize - 1.0) != at) continue;
        float x = texture(image, (tile * inSize + at + 0.5) / (grid * inSize)).r;
        float w = texture(kernels, (tile * 3.0 + tap + 0.5) / (grid * 3.0)).r;
        sum += x * w;
    }
    result = max(sum, 0.0);
}
