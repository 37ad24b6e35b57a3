#version 300 es
// Transposed convolution as the gradient of a convolution: getDy, getW, one value a texel.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
uniform sampler2D W;
uniform sampler2D bias;

const ivec4 dyShape = ivec4(1, 2, 5, 4);
const int outChannels = 3;
const int outHeight = 10;
const int filterSize = 3;
const float strides = 2.0;
const ivec2 pads = ivec2(1, 1);

out float outputValue;

float getDy(int channel, int row, int col) {
  return texelFetch(dy, ivec2(col, channel * dyShape.z + row), 0).r;
}

float getW(int d1, int d2, int row, int col) {
  return texelFetch(W, ivec2(col, (d1 * outChannels + d2) * filterSize + row), 0).r;
}

void main() {
  int row = int(gl_FragCoord.y);
  ivec3 coords = ivec3(row / outHeight, row % outHeight, int(gl_FragCoord.x));
  int d2 = coords.x;
  ivec2 dyCorner = coords.yz - pads;

  float dotProd = 0.0;
  for (int wR = 0; wR < filterSize; wR++) {
    float dyR = float(dyCorner.x + wR) / strides;
    if (dyR < 0.0 || dyR >= float(dyShape.z) || fract(dyR) > 0.0) {
      continue;
    }
    int wRPerm = filterSize - 1 - wR;

    for (int wC = 0; wC < filterSize; wC++) {
      float dyC = float(dyCorner.y + wC) / strides;
      if (dyC < 0.0 || dyC >= float(dyShape.w) || fract(dyC) > 0.0) {
        continue;
      }
      int wCPerm = filterSize - 1 - wC;

      for (int d1 = 0; d1 < dyShape.y; d1++) {
        float dyValue = getDy(d1, int(dyR), int(dyC));
        dotProd += dyValue * getW(d1, d2, wRPerm, wCPerm);
      }
    }
  }
  outputValue = dotProd + texelFetch(bias, ivec2(d2, 0), 0).r;
}
