#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// 10 -> 7. weights: a row for every output, one input a pixel

uniform sampler2D means;
uniform sampler2D weights;
uniform sampler2D biases;
layout(location = 0) out vec4 color;

const int IN = 10;

float feature(int i) {
    int g = i / 4;
    return texelFetch(means, ivec2(g % 2, g / 2), 0)[i % 4];
}

void main() {
    int first = int(gl_FragCoord.x) * 4;
    vec4 sum = texelFetch(biases, ivec2(gl_FragCoord.xy), 0);
    for (int i = 0; i < IN; i++) {
        float v = feature(i);
        sum.x += v * texelFetch(weights, ivec2(i, first), 0).r;
        sum.y += v * texelFetch(weights, ivec2(i, first + 1), 0).r;
        sum.z += v * texelFetch(weights, ivec2(i, first + 2), 0).r;
        sum.w += v * texelFetch(weights, ivec2(i, first + 3), 0).r;
    }
    color = sum;
}
