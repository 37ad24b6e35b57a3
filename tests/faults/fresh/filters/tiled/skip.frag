#version 330
// Features by their weights, and the head's on top.

#include "features.glsl"

uniform sampler2D s_body;
uniform sampler2D s_weight;
uniform sampler2D s_head;

layout(location = 0) out vec4 o_features;

void main() {
    ivec2 target = ivec2(gl_FragCoord.xy);
    vec4 weight = texelFetch(s_weight, ivec2(groupOf(target), 0), 0);
    vec4 body = texelFetch(s_body, target, 0);
    vec4 head = texelFetch(s_head, target, 0);
    o_features = body * weight + head;
}
