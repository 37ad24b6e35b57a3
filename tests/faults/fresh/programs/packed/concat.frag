#version 300 es
// ConcatPacked along columns: T0 has 11, so that the blocks of T1 lie askew.
#include "packed.glsl"

uniform sampler2D T0;
uniform sampler2D T1;

const int offset0 = 11;
const ivec2 outDims = ivec2(9, 17);

float getValue(int row, int col) {
  if (col < offset0) {
    return getChannel(getBlock(T0, row, col), ivec2(row, col));
  }
  int shifted = col - offset0;
  return getChannel(getBlock(T1, row, shifted), ivec2(row, shifted));
}

void main() {
  ivec2 coords = getOutputCoords();
  vec4 result = vec4(getValue(coords.x, coords.y), 0., 0., 0.);

  coords.y += 1;
  if (coords.y < outDims.y) {
    result.g = getValue(coords.x, coords.y);
  }

  coords.x += 1;
  if (coords.x < outDims.x && coords.y < outDims.y) {
    result.a = getValue(coords.x, coords.y);
  }

  coords.y -= 1;
  if (coords.x < outDims.x) {
    result.b = getValue(coords.x, coords.y);
  }
  setOutput(result);
}
