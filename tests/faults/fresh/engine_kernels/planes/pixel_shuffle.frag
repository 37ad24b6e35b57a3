#version 300 es
#include "tensor.glsl"

uniform sampler2D u_x;
uniform ivec4 u_x_shape;
uniform int u_block;
uniform int u_width;

float compute(ivec4 at) {
    int dy = at.z % u_block;
    int dx = at.w % u_block;
    int c = (at.y * u_block + dy) * u_block + dx;
    return element(u_x, offset(u_x_shape, at.x, c, at.z / u_block, at.w / u_block));
}

void main() {
    run(u_width);
}
