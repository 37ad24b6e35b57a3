#version 300 es
// Gradient of a convolution by its input: each element gathers from the windows that it lies in.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
uniform sampler2D w;
const int OUTPUTS = 6, GROUPS = 2;
const int PER_GROUP = 2;          // inputs of a group
const int HEIGHT = 9, WIDTH = 8;  // of x
const int ROWS = 5, COLUMNS = 4;  // of dy
const int STRIDE = 2, PAD = 1, KERNEL = 3;

out float dx;

float getDy(int n, int o, int row, int column) {
  if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS) return 0.0;
  return texelFetch(dy, ivec2(column, (n * OUTPUTS + o) * ROWS + row), 0).r;
}

float getW(int o, int i, int p, int q) {
  return texelFetch(w, ivec2(q, (o * PER_GROUP + i) * KERNEL + p), 0).r;
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  int row = texel.y % HEIGHT;
  int channel = texel.y / HEIGHT % (PER_GROUP * GROUPS);
  int n = texel.y / HEIGHT / (PER_GROUP * GROUPS);
  int group = channel / PER_GROUP;

  float sum = 0.0;
  for (int p = 0; p < KERNEL; p++) {
    for (int q = 0; q < KERNEL; q++) {
      int y = row + PAD - p;
      int x = texel.x + PAD - q;
      if (y % STRIDE != 0 || x % STRIDE != 0) continue;
      for (int k = 0; k < OUTPUTS / GROUPS; k++) {
        int o = group * (OUTPUTS / GROUPS) + k;
        sum += getDy(n, o, y / STRIDE, x / STRIDE) * getW(o, channel % PER_GROUP, p, q);
      }
    }
  }
  dx = sum;
}
