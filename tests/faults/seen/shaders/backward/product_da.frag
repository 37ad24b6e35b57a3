#version 300 es
// Gradient of a product a b by a, which is one column: what arrives in its row, times b, added up.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D b;
uniform sampler2D dy;
const int COLUMNS = 6;

out float da;

void main() {
  int row = int(gl_FragCoord.y);
  float sum = 0.0;
  for (int k = 0; k < COLUMNS; k++)
    sum += texelFetch(dy, ivec2(k, row), 0).r * texelFetch(b, ivec2(k, row), 0).r;
  da = sum;
}
