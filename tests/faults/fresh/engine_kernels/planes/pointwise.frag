#version 300 es
#include "tensor.glsl"

uniform sampler2D u_x;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform sampler2D u_slope;
uniform ivec4 u_x_shape;
uniform int u_width;

// A matrix product: the weights' rows by the places of a picture. Then PReLU.
float compute(ivec4 at) {
    int plane = u_x_shape.z * u_x_shape.w;
    int place = at.z * u_x_shape.w + at.w;
    int from = at.x * u_x_shape.y * plane + place;
    float sum = element(u_b, at.y);
    for (int c = 0; c < u_x_shape.y; ++c) {
        sum += element(u_w, at.y * u_x_shape.y + c) * element(u_x, from + c * plane);
    }
    return sum >= 0.0 ? sum : sum * element(u_slope, at.y);
}

void main() {
    run(u_width);
}
