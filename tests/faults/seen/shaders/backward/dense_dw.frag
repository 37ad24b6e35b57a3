#version 300 es
// Gradient of a dense layer y = x w by its weights: x transposed times dy.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D dy;
const int ROWS = 5;

out float dw;

float getX(int row, int column) {
  return texelFetch(x, ivec2(column, row), 0).r;
}

float getDy(int row, int column) {
  return texelFetch(dy, ivec2(column, row), 0).r;
}

void main() {
  int i = int(gl_FragCoord.y);
  int j = int(gl_FragCoord.x);
  float sum = 0.0;
  for (int n = 0; n < ROWS; n++)
    sum += getX(n, i) * getDy(n, j);
  dw = sum;
}
