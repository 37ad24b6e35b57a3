#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// The largest number and the sum of all powers below it, into two targets.
uniform sampler2D u_logits;

layout(location = 0) out float o_peak;
layout(location = 1) out float o_total;

void main() {
    vec4 a = texelFetch(u_logits, ivec2(0, 0), 0);
    vec2 b = texelFetch(u_logits, ivec2(1, 0), 0).xy;
    vec2 pairs = max(max(a.xy, a.zw), b);
    float peak = max(pairs.x, pairs.y);
    vec4 ea = exp(a - peak);
    vec2 eb = exp(b - peak);
    o_peak = peak;
    o_total = ea.x + ea.y + ea.z + ea.w + eb.x + eb.y;
}
