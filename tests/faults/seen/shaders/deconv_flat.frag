#version 300 es
// Transposed convolution 2x2 of stride 2 on flat memory: every output element has one tap.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D data;
uniform sampler2D kernels;   // inputs x outputs x 2 x 2
uniform sampler2D offsets;

const int IN = 3;
const int OUT = 3;
const int H = 4;
const int W = 5;
const int WIDTH = 8;         // texels in a row of the result

out vec4 elements;

float element(sampler2D memory, int i) {
    int width = textureSize(memory, 0).x;
    vec4 texel = texelFetch(memory, ivec2((i >> 2) % width, (i >> 2) / width), 0);
    return texel[i & 3];
}

float deconvolve(int index) {
    int x = index % (2 * W);
    int y = index / (2 * W) % (2 * H);
    int o = index / (4 * W * H);
    if (o >= OUT) return 0.0;
    int tap = (y & 1) * 2 + (x & 1);

    float sum = element(offsets, o);
    for (int i = 0; i < IN; i++) {
        float value = element(data, (i * H + (y >> 1)) * W + (x >> 1));
        sum += value * element(kernels, (i * OUT + o) * 4 + tap);
    }
    return sum;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int first = (here.y * WIDTH + here.x) * 4;
    elements.x = deconvolve(first);
    elements.y = deconvolve(first + 1);
    elements.z = deconvolve(first + 2);
    elements.w = deconvolve(first + 3);
}
