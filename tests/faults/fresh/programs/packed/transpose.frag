#version 300 es
// TransposePacked, 2-d: [11, 9] to [9, 11].
#include "packed.glsl"

uniform sampler2D A;
uniform int outRows;
uniform int outCols;

float getA(int row, int col) {
  return getChannel(getBlock(A, row, col), ivec2(row, col));
}

void main() {
  ivec2 rc = getOutputCoords();
  bool nextRow = rc.x + 1 < outRows;
  bool nextCol = rc.y + 1 < outCols;
  vec4 result = vec4(0.0);
  result[0] = getA(rc.y, rc.x);
  if (nextCol) {
    result[1] = getA(rc.y + 1, rc.x);
  }
  if (nextRow) {
    result[2] = getA(rc.y, rc.x + 1);
    if (nextCol) {
      result[3] = getA(rc.y + 1, rc.x + 1);
    }
  }
  setOutput(result);
}
