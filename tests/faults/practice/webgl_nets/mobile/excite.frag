#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// 3 -> 10, sigmoid

uniform sampler2D squeezed;
uniform sampler2D weights;
uniform sampler2D biases;
layout(location = 0) out vec4 color;

const int WEIGHT_COLS = 4;

vec3 weight(int o) {
    return texelFetch(weights, ivec2(o % WEIGHT_COLS, o / WEIGHT_COLS), 0).rgb;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int group = p.y * 2 + p.x;
    vec3 v = texelFetch(squeezed, ivec2(0), 0).rgb;
    vec4 b = texelFetch(biases, ivec2(group, 0), 0);
    vec4 t;
    for (int lane = 0; lane < 4; lane++) {
        t[lane] = b[lane] + dot(v, weight(group * 4 + lane));
    }
    color = 1.0 / (1.0 + exp(-t));
}
