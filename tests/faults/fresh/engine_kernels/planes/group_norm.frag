#version 300 es
#include "tensor.glsl"

uniform sampler2D u_x;
uniform sampler2D u_gamma;
uniform sampler2D u_beta;
uniform ivec4 u_x_shape;
uniform int u_groups;
uniform float u_epsilon;
uniform int u_width;

// A group is one piece of memory: its channels follow each other.
float compute(ivec4 at) {
    int per_group = u_x_shape.y / u_groups;
    int count = per_group * u_x_shape.z * u_x_shape.w;
    int start = offset(u_x_shape, at.x, at.y / per_group * per_group, 0, 0);

    float mean = 0.0;
    for (int i = 0; i < count; ++i) {
        mean += element(u_x, start + i);
    }
    mean /= float(count);

    float variance = 0.0;
    for (int i = 0; i < count; ++i) {
        float d = element(u_x, start + i) - mean;
        variance += d * d;
    }
    variance /= float(count);

    float x = element(u_x, offset(u_x_shape, at.x, at.y, at.z, at.w));
    float y = (x - mean) / sqrt(variance + u_epsilon);
    y = y * element(u_gamma, at.y) + element(u_beta, at.y);
    return y / (1.0 + exp(-y));
}

void main() {
    run(u_width);
}
