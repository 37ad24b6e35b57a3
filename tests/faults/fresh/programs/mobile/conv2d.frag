#version 300 es
// Conv2D, NHWC, 3x3, stride 2, SAME; filter HWIO; fused bias and relu6.
#include "runtime.glsl"

uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D bias;

const ivec2 strides = ivec2(2, 2);
const ivec2 pads = ivec2(1, 0);

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(35, 7));
  int index = resTexRC.x * 7 + resTexRC.y;
  int r = index / 245; index -= r * 245;
  int c = index / 35; index -= c * 35;
  int d = index / 7; int d2 = index - d * 7;
  return ivec4(r, c, d, d2);
}

float getX(int row, int col, int depth, int depth2) {
  int index = row * 650 + col * 50 + depth * 5 + depth2;
  return sampleTexture(x, uvFromFlat(130, 5, index));
}

float getW(int row, int col, int depth, int depth2) {
  int index = row * 105 + col * 35 + depth * 7 + depth2;
  return sampleTexture(W, uvFromFlat(45, 7, index));
}

float getBias(int index) {
  return sampleTexture(bias, uvFromFlat(1, 7, index));
}

float activation(float a) {
  return clamp(a, 0.0, 6.0);
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d2 = coords[3];

  ivec2 xRCCorner = ivec2(coords[1], coords[2]) * strides - pads;
  int xRCorner = xRCCorner.x;
  int xCCorner = xRCCorner.y;

  float dotProd = 0.0;
  for (int wR = 0; wR < 3; wR++) {
    int xR = xRCorner + wR;

    if (xR < 0 || xR >= 13) {
      continue;
    }

    for (int wC = 0; wC < 3; wC++) {
      int xC = xCCorner + wC;

      if (xC < 0 || xC >= 10) {
        continue;
      }

      for (int d1 = 0; d1 < 4; d1 += 4) {
        vec4 wValues = vec4(
          getW(wR, wC, d1, d2),
          getW(wR, wC, d1 + 1, d2),
          getW(wR, wC, d1 + 2, d2),
          getW(wR, wC, d1 + 3, d2)
        );
        vec4 xValues = vec4(
          getX(batch, xR, xC, d1),
          getX(batch, xR, xC, d1 + 1),
          getX(batch, xR, xC, d1 + 2),
          getX(batch, xR, xC, d1 + 3)
        );
        dotProd += dot(xValues, wValues);
      }

      dotProd += getX(batch, xR, xC, 4) * getW(wR, wC, 4, d2);
    }
  }

  float result = dotProd;
  result = result + getBias(d2);
  result = activation(result);
  setOutput(result);
}
