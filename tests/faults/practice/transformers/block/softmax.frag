#version 300 es
// Softmax of every row, numerically safe.
precision highp float;
precision highp sampler2D;

uniform sampler2D u_scores;
uniform int u_n;

out float o_p;

float score(int row, int j) { return texelFetch(u_scores, ivec2(j, row), 0).r; }

void main() {
  ivec2 id = ivec2(gl_FragCoord.xy);
  float m = score(id.y, 0);
  for (int j = 1; j < u_n; j++) m = max(m, score(id.y, j));
  float z = 0.0;
  for (int j = 0; j < u_n; j++) z += exp(score(id.y, j) - m);
  o_p = exp(score(id.y, id.x) - m) / z;
}
