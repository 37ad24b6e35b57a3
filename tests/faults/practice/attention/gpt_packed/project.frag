#version 330 core
// Projection, bias, and the stream that it is added to.
uniform sampler2D hidden;
uniform sampler2D w_proj;
uniform sampler2D b_proj;
uniform sampler2D stream;
uniform int quads;
layout(location = 0) out vec4 result;

#include "dense4.glsl"

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    vec4 y = dense4(hidden, w_proj, p.y, p.x, quads);
    y += texelFetch(b_proj, ivec2(p.x, 0), 0);
    y += texelFetch(stream, p, 0);
    result = y;
}
