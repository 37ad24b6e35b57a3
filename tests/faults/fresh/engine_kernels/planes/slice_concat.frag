#version 300 es
#include "tensor.glsl"

uniform sampler2D u_a;
uniform sampler2D u_b;
uniform ivec4 u_a_shape;
uniform ivec4 u_b_shape;
uniform int u_begin;  // the first channel of b, and how far the next one is
uniform int u_step;
uniform int u_width;

float compute(ivec4 at) {
    if (at.y < u_a_shape.y) {
        return element(u_a, offset(u_a_shape, at.x, at.y, at.z, at.w));
    }
    int c = u_begin + (at.y - u_a_shape.y) * u_step;
    return element(u_b, offset(u_b_shape, at.x, c, at.z, at.w));
}

void main() {
    run(u_width);
}
