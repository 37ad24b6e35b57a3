#version 300 es
// Gradient of a normalisation by running statistics: what arrives, times the factor of its channel.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
uniform sampler2D scale;
uniform sampler2D variance;
const int CHANNELS = 4, HEIGHT = 5;
const float EPSILON = 0.01;

out float dx;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  ivec2 channel = ivec2(texel.y / HEIGHT % CHANNELS, 0);
  float factor = texelFetch(scale, channel, 0).r * inversesqrt(texelFetch(variance, channel, 0).r + EPSILON);
  dx = texelFetch(dy, texel, 0).r * factor;
}
