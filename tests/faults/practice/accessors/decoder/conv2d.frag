#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D bias;

float sampleTexture(sampler2D textureSampler, vec2 uv) {
  return texture(textureSampler, uv).r;
}

void setOutput(float val) {
  outputColor = vec4(val, 0, 0, 0);
}

vec2 uvFromFlat(int texNumR, int texNumC, int index) {
  int texR = index / texNumC;
  int texC = index - texR * texNumC;
  return (vec2(texC, texR) + halfCR) / vec2(texNumC, texNumR);
}

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(120.0, 8.0));
  int index = resTexRC.x * 8 + resTexRC.y;
  int b = index / 960;
  index -= b * 960;
  int r = index / 96;
  index -= r * 96;
  int c = index / 8;
  index -= c * 8;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 600 + r * 60 + c * 5 + d;
  vec2 uv = uvFromFlat(30, 20, index);
  return sampleTexture(x, uv);
}

float getW(int b, int r, int c, int d) {
  int index = b * 120 + r * 40 + c * 8 + d;
  vec2 uv = uvFromFlat(45, 8, index);
  return sampleTexture(W, uv);
}

float getBias(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(8.0, 1.0);
  return sampleTexture(bias, uv);
}

float activation(float a) {
  return (a > 0.0) ? a : 0.2 * a;
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d2 = coords[3];
  ivec2 corner = coords.yz - ivec2(1);

  float dotProd = 0.0;
  for (int wR = 0; wR < 3; wR++) {
    int xR = corner.x + wR;
    if (xR < 0 || xR >= 10) {
      continue;
    }
    for (int wC = 0; wC < 3; wC++) {
      int xC = corner.y + wC;
      if (xC < 0 || xC >= 12) {
        continue;
      }
      for (int d1 = 0; d1 < 4; d1 += 4) {
        vec4 xValues = vec4(
          getX(batch, xR, xC, d1),
          getX(batch, xR, xC, d1 + 1),
          getX(batch, xR, xC, d1 + 2),
          getX(batch, xR, xC, d1 + 3)
        );
        vec4 wValues = vec4(
          getW(wR, wC, d1, d2),
          getW(wR, wC, d1 + 1, d2),
          getW(wR, wC, d1 + 2, d2),
          getW(wR, wC, d1 + 3, d2)
        );
        dotProd += dot(xValues, wValues);
      }
      dotProd += getX(batch, xR, xC, 4) * getW(wR, wC, 4, d2);
    }
  }

  float result = dotProd + getBias(d2);
  setOutput(activation(result));
}
