#version 300 es
precision highp float;
precision highp sampler2D;

// v' = (1 - rate) * (v + rate * (x - m)^2), with the mean of before

uniform sampler2D s_frame;
uniform sampler2D s_mean;
uniform sampler2D s_variance;
uniform float u_rate;
out vec4 variance;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 away = texelFetch(s_frame, at, 0) - texelFetch(s_mean, at, 0);
    vec4 before = texelFetch(s_variance, at, 0);
    variance = (1.0 - u_rate) * (before + u_rate * away * away);
}
