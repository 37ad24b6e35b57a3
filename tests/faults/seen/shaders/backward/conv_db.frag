#version 300 es
// Gradient of a bias: everything that arrives at its channel.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
const int BATCH = 2, CHANNELS = 6, ROWS = 5, COLUMNS = 4;

out float db;

float getDy(int n, int c, int row, int column) {
  return texelFetch(dy, ivec2(column, (n * CHANNELS + c) * ROWS + row), 0).r;
}

void main() {
  int channel = int(gl_FragCoord.x);
  float sum = 0.0;
  for (int n = 0; n < BATCH; n++)
    for (int row = 0; row < ROWS; row++)
      for (int column = 0; column < COLUMNS; column++)
        sum += getDy(n, channel, row, column);
  db = sum;
}
