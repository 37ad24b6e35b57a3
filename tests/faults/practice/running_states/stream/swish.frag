#version 300 es
precision highp float;
precision highp sampler2D;

// x * sigmoid(steepness * x)

uniform sampler2D s_peak;
uniform float u_steepness;
out vec4 gated;

void main() {
    vec4 x = texelFetch(s_peak, ivec2(gl_FragCoord.xy), 0);
    gated = x / (1.0 + exp(-u_steepness * x));
}
