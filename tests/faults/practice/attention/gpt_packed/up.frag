#version 330 core
// The wide layer with the sigmoid form of GELU.
uniform sampler2D hidden;
uniform sampler2D w_up;
uniform sampler2D b_up;
uniform int quads;
layout(location = 0) out vec4 result;

#include "dense4.glsl"

vec4 quick_gelu(vec4 v) {
    return v / (1.0 + exp(-1.702 * v));
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 pre = dense4(hidden, w_up, p.y, p.x, quads) + texelFetch(b_up, ivec2(p.x, 0), 0);
    result = quick_gelu(pre);
}
