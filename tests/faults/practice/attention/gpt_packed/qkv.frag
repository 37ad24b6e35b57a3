#version 330 core
// Query, key and value of a token side by side: 3 x 16 features, 12 texels.
uniform sampler2D hidden;
uniform sampler2D w_qkv;
uniform sampler2D b_qkv;
uniform int quads;
layout(location = 0) out vec4 result;

#include "dense4.glsl"

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    result = dense4(hidden, w_qkv, p.y, p.x, quads) + texelFetch(b_qkv, ivec2(p.x, 0), 0);
}
