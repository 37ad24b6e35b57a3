#version 300 es
// Scores of attention, two heads: rows of queries times columns of keys, by the root of their length.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D q;
uniform sampler2D k;
const int depth = 6;
const int queries = 4;
const float scale = 0.40824829;

out float outputValue;

float getQ(int head, int i, int d) {
  return texelFetch(q, ivec2(d, head * queries + i), 0).r;
}

float getK(int head, int d, int j) {
  return texelFetch(k, ivec2(j, head * depth + d), 0).r;
}

float dotQK(int head, int i, int j) {
  float result = 0.0;
  for (int d = 0; d < depth; d++) {
    result += getQ(head, i, d) * getK(head, d, j);
  }
  return result;
}

void main() {
  ivec2 rc = ivec2(gl_FragCoord.yx);
  int head = rc.x / queries;
  int i = rc.x - head * queries;
  outputValue = dotQK(head, i, rc.y) * scale;
}
