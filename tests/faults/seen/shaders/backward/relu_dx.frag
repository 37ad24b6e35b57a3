#version 300 es
// Gradient of a ReLU, from its input.
precision highp float;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D dy;

out float dx;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float value = texelFetch(x, texel, 0).r;
  float slope = value > 0.0 ? 1.0 : 0.0;
  dx = texelFetch(dy, texel, 0).r * slope;
}
