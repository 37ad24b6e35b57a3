#version 300 es
// Gradient of a transposed convolution by its input: a plain convolution of what arrives.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
uniform sampler2D w;
const int INPUTS = 4, OUTPUTS = 3;
const int HEIGHT = 5, WIDTH = 6;   // of x
const int ROWS = 10, COLUMNS = 12; // of dy
const int STRIDE = 2, PAD = 1, KERNEL = 4;

out float dx;

float getDy(int o, int row, int column) {
  if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS) return 0.0;
  return texelFetch(dy, ivec2(column, o * ROWS + row), 0).r;
}

float getW(int i, int o, int p, int q) {
  return texelFetch(w, ivec2(q, (i * OUTPUTS + o) * KERNEL + p), 0).r;
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  int row = texel.y % HEIGHT, channel = texel.y / HEIGHT;

  float sum = 0.0;
  for (int o = 0; o < OUTPUTS; o++)
    for (int p = 0; p < KERNEL; p++)
      for (int q = 0; q < KERNEL; q++)
        sum += getDy(o, row * STRIDE - PAD + p, texel.x * STRIDE - PAD + q) * getW(channel, o, p, q);
  dx = sum;
}
