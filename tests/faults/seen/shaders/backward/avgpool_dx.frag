#version 300 es
// Gradient of a mean of 3x3, step 2, padded by one and not counting the padding.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
const int HEIGHT = 8, WIDTH = 9, ROWS = 4, COLUMNS = 5;
const int KERNEL = 3, STRIDE = 2, PAD = 1;

out float dx;

int inside(int start, int size) {
  return min(start + KERNEL, size) - max(start, 0);
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  int c = texel.y / HEIGHT, row = texel.y % HEIGHT, column = texel.x;

  float sum = 0.0;
  for (int i = 0; i < ROWS; i++) {
    int top = i * STRIDE - PAD;
    if (row < top || row >= top + KERNEL) continue;
    for (int j = 0; j < COLUMNS; j++) {
      int left = j * STRIDE - PAD;
      if (column < left || column >= left + KERNEL) continue;
      int count = inside(top, HEIGHT) * inside(left, WIDTH);
      sum += texelFetch(dy, ivec2(j, c * ROWS + i), 0).r / float(count);
    }
  }
  dx = sum;
}
