#version 300 es
// AvgPool, NHWC, 3x2 window, strides (2, 1), SAME: only what lies in the picture counts.
#include "runtime.glsl"

uniform sampler2D x;

const ivec2 strides = ivec2(2, 1);
const ivec2 pads = ivec2(1, 0);
const float initializationValue = 0.0;

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(20, 14));
  int index = resTexRC.x * 14 + resTexRC.y;
  int r = index / 280; index -= r * 280;
  int c = index / 70; index -= c * 70;
  int d = index / 14; int d2 = index - d * 14;
  return ivec4(r, c, d, d2);
}

float getX(int row, int col, int depth, int depth2) {
  int index = row * 490 + col * 70 + depth * 14 + depth2;
  return sampleTexture(x, uvFromFlat(35, 14, index));
}

float count = 0.0;

float getValue(int batch, int xR, int xC, int d) {
  if (xC < 0 || xC >= 5) {
    return initializationValue;
  }
  count += 1.0;
  return getX(batch, xR, xC, d);
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d = coords[3];

  ivec2 xRCCorner = coords.yz * strides - pads;
  int xRCorner = xRCCorner.x;
  int xCCorner = xRCCorner.y;

  float avgValue = 0.0;
  count = 0.0;

  for (int wR = 0; wR < 3; wR += 1) {
    int xR = xRCorner + wR;

    if (xR < 0 || xR >= 7) {
      continue;
    }

    vec2 values = vec2(
      getValue(batch, xR, xCCorner, d),
      getValue(batch, xR, xCCorner + 1, d)
    );
    avgValue += dot(values, vec2(1.0));
  }

  setOutput(avgValue / count);
}
