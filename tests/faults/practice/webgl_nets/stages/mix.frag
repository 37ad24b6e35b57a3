#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// The gated signal and the last five of seven channels: those from 2 on.
uniform sampler2D u_signal;
uniform sampler2D u_gate;
uniform sampler2D u_hat;
uniform ivec2 u_size;

out vec4 o_mix;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int block = texel.x / u_size.x;
    vec4 gated = texelFetch(u_signal, texel, 0) * texelFetch(u_gate, texel, 0);
    vec4 own = texelFetch(u_hat, texel, 0);
    vec4 next = block == 0 ? texelFetch(u_hat, texel + ivec2(u_size.x, 0), 0) : vec4(0);
    o_mix = gated + vec4(own.zw, next.xy);
}
