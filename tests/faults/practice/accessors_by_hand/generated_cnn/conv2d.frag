#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);

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

uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D bias;

float getX(int row, int col, int depth, int depth2) {
  // Explicitly use integer operations as dot() only works on floats.
  int index = row * 378 + col * 42 + depth * 6 + depth2;
  vec2 uv = uvFromFlat(19, 20, index);
  return sampleTexture(x, uv);
}

float getW(int row, int col, int depth, int depth2) {
  // Explicitly use integer operations as dot() only works on floats.
  int index = row * 90 + col * 30 + depth * 5 + depth2;
  vec2 uv = uvFromFlat(16, 17, index);
  return sampleTexture(W, uv);
}

float getBias(int index) {
  vec2 uv = vec2((float(index) + 0.5) / 5.0, 0.5);
  return sampleTexture(bias, uv);
}

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(18, 18));
  int index = resTexRC.x * 18 + resTexRC.y;
  int r = index / 315;
  index -= r * 315;
  int c = index / 35;
  index -= c * 35;
  int d = index / 5;
  int d2 = index - d * 5;
  return ivec4(r, c, d, d2);
}

float activation(float x) {
  return clamp(x, 0.0, 1.5);
}

const ivec2 strides = ivec2(1, 1);
const ivec2 pads = ivec2(1, 1);

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords[0];
  int d2 = coords[3];

  ivec2 xRCCorner = ivec2(coords[1], coords[2]) * strides - pads;
  int xRCorner = xRCCorner.x;
  int xCCorner = xRCCorner.y;

  // Convolve x(?, ?, d1) with w(:, :, d1, d2) to get y(yR, yC, d2).
  float dotProd = 0.0;
  for (int wR = 0; wR < 3; wR++) {
    int xR = xRCorner + wR;

    if (xR < 0 || xR >= 9) {
      continue;
    }

    for (int wC = 0; wC < 3; wC++) {
      int xC = xCCorner + wC;

      if (xC < 0 || xC >= 7) {
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

      vec2 wRest = vec2(
        getW(wR, wC, 4, d2),
        getW(wR, wC, 4 + 1, d2)
      );
      vec2 xRest = vec2(
        getX(batch, xR, xC, 4),
        getX(batch, xR, xC, 4 + 1)
      );
      dotProd += dot(xRest, wRest);
    }
  }

  float result = dotProd;
  result = result + getBias(d2);
  result = activation(result);
  setOutput(result);
}
