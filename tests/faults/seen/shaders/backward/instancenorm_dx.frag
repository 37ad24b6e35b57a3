#version 300 es
// Gradient of an instance normalisation by its input: every channel of every image by itself.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D scale;
uniform sampler2D dy;
const int CHANNELS = 3, HEIGHT = 4, WIDTH = 5;
const float EPSILON = 0.01;

out float dx;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  int plane = texel.y / HEIGHT;
  float count = float(HEIGHT * WIDTH);

  float sum = 0.0, squares = 0.0;
  for (int row = plane * HEIGHT; row < plane * HEIGHT + HEIGHT; row++)
    for (int column = 0; column < WIDTH; column++)
      sum += texelFetch(x, ivec2(column, row), 0).r;
  float mean = sum / count;
  for (int row = plane * HEIGHT; row < plane * HEIGHT + HEIGHT; row++)
    for (int column = 0; column < WIDTH; column++) {
      float away = texelFetch(x, ivec2(column, row), 0).r - mean;
      squares += away * away;
    }
  float variance = squares / count;
  float inverse = 1.0 / sqrt(variance + EPSILON);

  float dySum = 0.0, alongSum = 0.0;
  for (int row = plane * HEIGHT; row < plane * HEIGHT + HEIGHT; row++)
    for (int column = 0; column < WIDTH; column++) {
      float d = texelFetch(dy, ivec2(column, row), 0).r;
      dySum += d;
      alongSum += d * (texelFetch(x, ivec2(column, row), 0).r - mean) * inverse;
    }
  float normal = (texelFetch(x, texel, 0).r - mean) * inverse;
  float left = texelFetch(dy, texel, 0).r - (dySum + normal * alongSum) / count;
  dx = left * inverse * texelFetch(scale, ivec2(plane % CHANNELS, 0), 0).r;
}
