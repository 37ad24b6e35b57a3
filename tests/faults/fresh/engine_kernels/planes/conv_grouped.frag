#version 300 es
#include "tensor.glsl"

uniform sampler2D u_x;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform ivec4 u_x_shape;
uniform ivec4 u_w_shape;  // o, i of a group, kh, kw
uniform ivec2 u_stride;   // down, across
uniform ivec2 u_pad;
uniform int u_groups;
uniform int u_width;

#define X(n, c, h, w) element(u_x, offset(u_x_shape, n, c, h, w))
#define W(o, i, p, q) element(u_w, offset(u_w_shape, o, i, p, q))

float compute(ivec4 at) {
    int per_group = u_y_shape.y / u_groups;
    int first = at.y / per_group * u_w_shape.y;
    float sum = element(u_b, at.y);
    for (int p = 0; p < u_w_shape.z; ++p) {
        int h = at.z * u_stride.x - u_pad.x + p;
        if (h < 0 || h >= u_x_shape.z) continue;
        for (int q = 0; q < u_w_shape.w; ++q) {
            int w = at.w * u_stride.y - u_pad.y + q;
            if (w < 0 || w >= u_x_shape.w) continue;
            for (int i = 0; i < u_w_shape.y; ++i) {
                sum += X(at.x, first + i, h, w) * W(at.y, i, p, q);
            }
        }
    }
    return sum;
}

void main() {
    run(u_width);
}
