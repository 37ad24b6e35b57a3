#version 300 es
// conv2d in the manner of a code generator: coordinates first, getX and getW, bias and activation after the loops.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D bias;

const ivec4 xShape = ivec4(1, 3, 8, 9);
const ivec4 wShape = ivec4(4, 3, 3, 3);
const ivec4 outShape = ivec4(1, 4, 8, 9);
const ivec2 strides = ivec2(1, 1);
const ivec2 pads = ivec2(2, 2);
const ivec2 dilations = ivec2(2, 2);

out float outputValue;

float sampleTexture(sampler2D textureSampler, vec2 uv) {
  return texture(textureSampler, uv).r;
}

float getX(int batch, int channel, int row, int col) {
  int index = (batch * xShape.y + channel) * xShape.z + row;
  vec2 uv = (vec2(col, index) + 0.5) / vec2(xShape.w, xShape.x * xShape.y * xShape.z);
  return sampleTexture(x, uv);
}

float getW(int d2, int d1, int wR, int wC) {
  int index = (d2 * wShape.y + d1) * wShape.z + wR;
  vec2 uv = (vec2(wC, index) + 0.5) / vec2(wShape.w, wShape.x * wShape.y * wShape.z);
  return sampleTexture(W, uv);
}

float getBias(int d2) {
  return sampleTexture(bias, vec2((float(d2) + 0.5) / float(outShape.y), 0.5));
}

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(gl_FragCoord.yx);
  int r = resTexRC.x;
  int b = r / (outShape.y * outShape.z);
  r -= b * outShape.y * outShape.z;
  return ivec4(b, r / outShape.z, r % outShape.z, resTexRC.y);
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords.x;
  int d2 = coords.y;
  ivec2 xRCCorner = coords.zw * strides - pads;

  float dotProd = 0.0;
  for (int wR = 0; wR < wShape.z; wR++) {
    int xR = xRCCorner.x + wR * dilations.x;
    if (xR < 0 || xR >= xShape.z) {
      continue;
    }
    for (int wC = 0; wC < wShape.w; wC++) {
      int xC = xRCCorner.y + wC * dilations.y;
      if (xC < 0 || xC >= xShape.w) {
        continue;
      }
      for (int d1 = 0; d1 < wShape.y; d1++) {
        float xValue = getX(batch, d1, xR, xC);
        float wValue = getW(d2, d1, wR, wC);
        dotProd += xValue * wValue;
      }
    }
  }

  float result = dotProd;
  result = result + getBias(d2);
  result = result < 0.0 ? 0.2 * result : result;
  outputValue = result;
}
