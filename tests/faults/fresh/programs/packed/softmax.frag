#version 300 es
// Softmax of rows, two rows and two columns a fragment; the last column stands alone in its block.
#include "packed.glsl"

uniform sampler2D logits;
uniform int cols;

void main() {
  ivec2 rc = getOutputCoords();
  int nearestPair = cols - cols % 2;

  vec4 last = getBlock(logits, rc.x, nearestPair);
  vec2 best = last.xz;
  for (int c = 0; c < nearestPair; c += 2) {
    vec4 v = getBlock(logits, rc.x, c);
    best = max(best, max(v.xz, v.yw));
  }

  vec2 sum = exp(last.xz - best);
  for (int c = 0; c < nearestPair; c += 2) {
    vec4 e = exp(getBlock(logits, rc.x, c) - best.xxyy);
    sum += e.xz + e.yw;
  }

  setOutput(exp(getBlock(logits, rc.x, rc.y) - best.xxyy) / sum.xxyy);
}
