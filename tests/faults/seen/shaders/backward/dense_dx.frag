#version 300 es
// Gradient of a dense layer y = x w by its input: dy times w transposed.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
uniform sampler2D w;
const int COLUMNS = 8;

out float dx;

float getDy(int row, int column) {
  return texelFetch(dy, ivec2(column, row), 0).r;
}

float getW(int row, int column) {
  return texelFetch(w, ivec2(column, row), 0).r;
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float sum = 0.0;
  for (int k = 0; k < COLUMNS; k++)
    sum += getDy(texel.y, k) * getW(texel.x, k);
  dx = sum;
}
