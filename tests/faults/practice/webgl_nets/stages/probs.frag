#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_logits;
uniform sampler2D u_peak;
uniform sampler2D u_total;

out vec4 o_probs;

void main() {
    float peak = texelFetch(u_peak, ivec2(0), 0).x;
    float total = texelFetch(u_total, ivec2(0), 0).x;
    o_probs = exp(texelFetch(u_logits, ivec2(gl_FragCoord.xy), 0) - peak) / total;
}
