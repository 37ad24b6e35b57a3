#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_power;
uniform float u_floor;
out float o_log;

void main() {
    float power = texelFetch(u_power, ivec2(gl_FragCoord.xy), 0).r;
    o_log = log(power + u_floor);
}
