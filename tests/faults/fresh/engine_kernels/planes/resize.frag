#version 300 es
#include "tensor.glsl"

uniform sampler2D u_x;
uniform ivec4 u_x_shape;
uniform int u_width;

#define X(h, w) element(u_x, offset(u_x_shape, at.x, at.y, h, w))

float compute(ivec4 at) {
    vec2 scale = vec2(u_x_shape.zw) / vec2(u_y_shape.zw);
    vec2 place = (vec2(at.zw) + 0.5) * scale - 0.5;
    place = clamp(place, vec2(0.0), vec2(u_x_shape.zw - 1));
    ivec2 lo = ivec2(floor(place));
    ivec2 hi = min(lo + 1, u_x_shape.zw - 1);
    vec2 f = place - vec2(lo);
    float top = mix(X(lo.x, lo.y), X(lo.x, hi.y), f.y);
    float bottom = mix(X(hi.x, lo.y), X(hi.x, hi.y), f.y);
    return mix(top, bottom, f.x);
}

void main() {
    run(u_width);
}
