#version 430
#include "common.glsl"
layout(binding = 0) uniform sampler2D x;
out vec4 color;

// The lower six channels by the upper six
void main() {
    HERE();
    vec4 lo = FETCH(x, 0, p);
    vec4 mid = FETCH(x, 1, p);
    vec4 hi = FETCH(x, 2, p);
    color = t == 0 ? lo * vec4(mid.zw, hi.xy)
                   : vec4(mid.xy * hi.zw, 0.0, 0.0);
}
