#version 300 es
// Gradient of the slopes of a PReLU, one a channel: what arrives times x, where x is below zero.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D dy;
const int HEIGHT = 5, WIDTH = 6;

out float dslope;

void main() {
  int channel = int(gl_FragCoord.y);
  float sum = 0.0;
  for (int row = 0; row < HEIGHT; row++)
    for (int column = 0; column < WIDTH; column++) {
      ivec2 at = ivec2(column, channel * HEIGHT + row);
      sum += texelFetch(dy, at, 0).r * min(texelFetch(x, at, 0).r, 0.0);
    }
  dslope = sum;
}
