#version 300 es
// Gradient of a sigmoid, from its output.
precision highp float;
precision highp sampler2D;

uniform sampler2D y;
uniform sampler2D dy;

out float dx;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float value = texelFetch(y, texel, 0).r;
  float slope = value * (1.0 - value);
  dx = texelFetch(dy, texel, 0).r * slope;
}
