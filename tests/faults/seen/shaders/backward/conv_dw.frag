#version 300 es
// Gradient of a convolution by its weights: sums over all images and places.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D dy;
const int BATCH = 2, CHANNELS = 4, OUTPUTS = 6, PER_GROUP = 2;
const int HEIGHT = 9, WIDTH = 8;
const int ROWS = 5, COLUMNS = 4;
const int STRIDE = 2, PAD = 1, KERNEL = 3;

out float dw;

float getX(int n, int c, int row, int column) {
  if (row < 0 || row >= HEIGHT || column < 0 || column >= WIDTH) return 0.0;
  return texelFetch(x, ivec2(column, (n * CHANNELS + c) * HEIGHT + row), 0).r;
}

float getDy(int n, int o, int row, int column) {
  return texelFetch(dy, ivec2(column, (n * OUTPUTS + o) * ROWS + row), 0).r;
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  int p = texel.y % KERNEL, q = texel.x;
  int i = texel.y / KERNEL % PER_GROUP;
  int o = texel.y / KERNEL / PER_GROUP;
  int channel = o / 3 * PER_GROUP + i;

  float sum = 0.0;
  for (int n = 0; n < BATCH; n++)
    for (int row = 0; row < ROWS; row++)
      for (int column = 0; column < COLUMNS; column++)
        sum += getDy(n, o, row, column) * getX(n, channel, row * STRIDE + p - PAD, column * STRIDE + q - PAD);
  dw = sum;
}
