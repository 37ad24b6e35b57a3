#version 300 es
// Gradient of the second of two tensors that were put one behind the other along channels.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
const int BEFORE = 3, CHANNELS = 4, HEIGHT = 5;  // BEFORE: channels of the first

out float db;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  int row = texel.y % HEIGHT;
  int channel = texel.y / HEIGHT % CHANNELS;
  int n = texel.y / HEIGHT / CHANNELS;
  db = texelFetch(dy, ivec2(texel.x, (n * (BEFORE + CHANNELS) + BEFORE + channel) * HEIGHT + row), 0).r;
}
