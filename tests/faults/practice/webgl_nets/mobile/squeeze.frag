#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// 10 -> 3, relu. weights: a row for every output, pixels of four inputs

uniform sampler2D means;
uniform sampler2D weights;
uniform sampler2D biases;
layout(location = 0) out vec4 color;

vec4 row(int o) {
    vec4 s = vec4(0.0);
    for (int g = 0; g < 3; g++) {
        int k = o * 3 + g;
        s += texelFetch(means, ivec2(g & 1, g >> 1), 0) * texelFetch(weights, ivec2(k % 3, k / 3), 0);
    }
    return s;
}

void main() {
    vec4 bias = texelFetch(biases, ivec2(0), 0);
    vec4 one = vec4(1.0);
    color.r = max(dot(row(0), one) + bias.r, 0.0);
    color.g = max(dot(row(1), one) + bias.g, 0.0);
    color.b = max(dot(row(2), one) + bias.b, 0.0);
    color.a = 0.0;
}
