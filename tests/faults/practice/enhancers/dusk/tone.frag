#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_hidden;
uniform vec4 u_weight[12];  // two for each output
uniform float u_bias[6];
out vec4 o_tone;

void main() {
    int n = int(gl_FragCoord.x);
    vec4 low = texelFetch(u_hidden, ivec2(0, 0), 0);
    vec4 high = texelFetch(u_hidden, ivec2(1, 0), 0);
    float sum = dot(u_weight[2 * n], low) + dot(u_weight[2 * n + 1], high);
    sum += u_bias[n];
    o_tone = vec4(1.0 / (1.0 + exp(-sum)));
}
