#version 300 es
// Gradient of a largest of 3x3, step 2: an element takes what arrives at the windows whose first largest it is.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D dy;
const int HEIGHT = 9, WIDTH = 11, ROWS = 4, COLUMNS = 5;
const int KERNEL = 3, STRIDE = 2;

out float dx;

float getX(int c, int row, int column) {
  return texelFetch(x, ivec2(column, c * HEIGHT + row), 0).r;
}

float getDy(int c, int row, int column) {
  return texelFetch(dy, ivec2(column, c * ROWS + row), 0).r;
}

bool isLargest(int c, int top, int left, int row, int column) {
  float mine = getX(c, row, column);
  for (int p = 0; p < KERNEL; p++) {
    for (int q = 0; q < KERNEL; q++) {
      float other = getX(c, top + p, left + q);
      bool before = top + p < row || (top + p == row && left + q < column);
      if (other > mine || (before && other == mine)) return false;
    }
  }
  return true;
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  int c = texel.y / HEIGHT, row = texel.y % HEIGHT, column = texel.x;

  float sum = 0.0;
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) {
      int top = i * STRIDE, left = j * STRIDE;
      bool inside = row >= top && row < top + KERNEL && column >= left && column < left + KERNEL;
      if (inside && isLargest(c, top, left, row, column)) sum += getDy(c, i, j);
    }
  }
  dx = sum;
}
