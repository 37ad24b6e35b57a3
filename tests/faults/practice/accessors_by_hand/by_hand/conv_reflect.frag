#version 300 es
#include "tensor.glsl"

uniform sampler2D u_input;
uniform sampler2D u_filter;
uniform sampler2D u_bias;
out vec4 fragColor;

const ivec3 IN = ivec3(7, 9, 5);
const ivec3 OUT = ivec3(7, 9, 4);
const int KS = 3;

int reflect_(int i, int size) {
    if (i < 0) return -i;
    if (i >= size) return 2 * (size - 1) - i;
    return i;
}

float getInput(int h, int w, int c) {
    return fetch(u_input, IN, reflect_(h, IN.x), reflect_(w, IN.y), c);
}

// filters in a grid of 2 columns, each a grid of 3 x 2 kernels
float getFilter(int o, int c, int i, int j) {
    ivec2 block = tileOf(o, 2) * ivec2(3 * KS, 2 * KS);
    ivec2 kernel = tileOf(c, 3) * KS;
    return texelFetch(u_filter, block + kernel + ivec2(j, i), 0).r;
}

float getBias(int o) {
    return texelFetch(u_bias, ivec2(o, 0), 0).r;
}

void main() {
    ivec3 p = here(ivec2(gl_FragCoord.xy), OUT);
    if (p.z >= OUT.z) {
        fragColor = vec4(0.0);
        return;
    }
    float acc = getBias(p.z);
    for (int c = 0; c < IN.z; c++)
        for (int i = 0; i < KS; i++)
            for (int j = 0; j < KS; j++)
                acc += getInput(p.x + i - 1, p.y + j - 1, c) * getFilter(p.z, c, i, j);
    fragColor = vec4(max(acc, 0.0), 0.0, 0.0, 1.0);
}
