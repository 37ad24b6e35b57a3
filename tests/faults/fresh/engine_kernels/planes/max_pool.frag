#version 300 es
#include "tensor.glsl"

uniform sampler2D u_x;
uniform ivec4 u_x_shape;
uniform ivec2 u_kernel;  // down, across
uniform ivec2 u_stride;
uniform ivec2 u_pad;
uniform int u_width;

float compute(ivec4 at) {
    float best = -3.4e38;
    for (int k = 0; k < u_kernel.x * u_kernel.y; ++k) {
        ivec2 tap = ivec2(k / u_kernel.y, k % u_kernel.y);
        ivec2 hw = at.zw * u_stride - u_pad + tap;
        bool inside = all(greaterThanEqual(hw, ivec2(0))) && all(lessThan(hw, u_x_shape.zw));
        if (inside) best = max(best, element(u_x, offset(u_x_shape, at.x, at.y, hw.x, hw.y)));
    }
    return best;
}

void main() {
    run(u_width);
}
