#version 300 es
// Gradient of y[c][a][b] = x[a][b][c]: what arrives, turned back.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
const int SIZE = 4;

out float dx;

float getDy(int i, int j, int k) {
  return texelFetch(dy, ivec2(k, i * SIZE + j), 0).r;
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  int a = texel.y / SIZE, b = texel.y % SIZE, c = texel.x;
  dx = getDy(c, a, b);
}
