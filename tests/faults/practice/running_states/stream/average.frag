#version 300 es
precision highp float;
precision highp sampler2D;

// m' = m + rate * (x - m), four neighbours of a row at once

uniform sampler2D s_frame;
uniform sampler2D s_mean;
uniform float u_rate;
out vec4 mean;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 before = texelFetch(s_mean, at, 0);
    vec4 frame = texelFetch(s_frame, at, 0);
    mean = before + u_rate * (frame - before);
}
