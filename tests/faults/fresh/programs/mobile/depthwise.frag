#version 300 es
// DepthwiseConv2D, NHWC, 3x3, rate (2, 1), SAME, channel multiplier 2; filter [3, 3, 7, 2].
#include "runtime.glsl"

uniform sampler2D x;
uniform sampler2D W;

const ivec2 strides = ivec2(1, 1);
const ivec2 pads = ivec2(2, 1);
const ivec2 dilations = ivec2(2, 1);
const ivec2 inDims = ivec2(7, 5);

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(35, 14));
  int index = resTexRC.x * 14 + resTexRC.y;
  int r = index / 490; index -= r * 490;
  int c = index / 70; index -= c * 70;
  int d = index / 14; int d2 = index - d * 14;
  return ivec4(r, c, d, d2);
}

float getX(int row, int col, int depth, int depth2) {
  int index = row * 245 + col * 35 + depth * 7 + depth2;
  return sampleTexture(x, uvFromFlat(35, 7, index));
}

float getW(int row, int col, int depth, int depth2) {
  int index = row * 42 + col * 14 + depth * 2 + depth2;
  return sampleTexture(W, uvFromFlat(9, 14, index));
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords.x;
  ivec2 xRCCorner = coords.yz * strides - pads;
  int d2 = coords.w;
  int d1 = d2 / 2;
  int q = d2 - d1 * 2;

  int xRCorner = xRCCorner.x;
  int xCCorner = xRCCorner.y;

  float dotProd = 0.0;
  for (int wR = 0; wR < 3; wR++) {
    int xR = xRCorner + wR * dilations[0];

    if (xR < 0 || xR >= inDims[0]) {
      continue;
    }

    for (int wC = 0; wC < 3; wC++) {
      int xC = xCCorner + wC * dilations[1];

      if (xC < 0 || xC >= inDims[1]) {
        continue;
      }

      float xVal = getX(batch, xR, xC, d1);
      float wVal = getW(wR, wC, d1, q);
      dotProd += xVal * wVal;
    }
  }

  setOutput(dotProd);
}
