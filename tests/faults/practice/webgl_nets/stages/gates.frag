#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Two 1x1 convolutions of the same texels: the signal with tanh, the gate with a sigmoid.
uniform sampler2D u_hat;
uniform sampler2D u_signal_w;
uniform sampler2D u_signal_b;
uniform sampler2D u_gate_w;
uniform sampler2D u_gate_b;
uniform ivec2 u_size;

layout(location = 0) out vec4 o_signal;
layout(location = 1) out vec4 o_gate;

float product(sampler2D kernels, int o, vec4 low, vec4 high) {
    int number = 2 * o;
    vec4 a = texelFetch(kernels, ivec2(number % 4, number / 4), 0);
    vec4 b = texelFetch(kernels, ivec2(number % 4 + 1, number / 4), 0);
    return dot(a, low) + dot(b.xyz, high.xyz);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int block = texel.x / u_size.x;
    ivec2 here = ivec2(texel.x - block * u_size.x, texel.y);
    vec4 low = texelFetch(u_hat, here, 0);
    vec4 high = texelFetch(u_hat, here + ivec2(u_size.x, 0), 0);

    vec4 s = texelFetch(u_signal_b, ivec2(block, 0), 0);
    vec4 g = texelFetch(u_gate_b, ivec2(block, 0), 0);
    for (int lane = 0; lane < 4; ++lane) {
        s[lane] += product(u_signal_w, block * 4 + lane, low, high);
        g[lane] += product(u_gate_w, block * 4 + lane, low, high);
    }
    o_signal = tanh(s);
    o_gate = 1.0 / (1.0 + exp(-g));
}
