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
  int index = row * 315 + col * 35 + depth * 5 + depth2;
  vec2 uv = uvFromFlat(18, 18, index);
  return sampleTexture(x, uv);
}

float getW(int row, int col, int depth, int depth2) {
  float texR = float(row * 3 + col + depth);
  float texC = float(depth2);
  vec2 uv = (vec2(texC, texR) + halfCR) / vec2(5.0, 9.0);
  return sampleTexture(W, uv);
}

float getBias(int index) {
  vec2 uv = vec2((float(index) + 0.5) / 5.0, 0.5);
  return sampleTexture(bias, uv);
}

ivec4 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(10, 10));
  int index = resTexRC.x * 10 + resTexRC.y;
  int r = index / 100;
  index -= r * 100;
  int c = index / 20;
  index -= c * 20;
  int d = index / 5;
  int d2 = index - d * 5;
  return ivec4(r, c, d, d2);
}

const ivec2 strides = ivec2(2, 2);
const ivec2 pads = ivec2(1, 1);

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords.x;
  ivec2 xRCCorner = coords.yz * strides - pads;
  int d2 = coords.w;
  int d1 = d2 / 1;
  int q = d2 - d1 * 1;

  int xRCorner = xRCCorner.x;
  int xCCorner = xRCCorner.y;

  // Convolve x(?, ?, d1) with w(:, :, d1, q) to get y(yR, yC, d2).
  float dotProd = 0.0;
  for (int wR = 0; wR < 3; wR++) {
    int xR = xRCorner + wR * 1;

    if (xR < 0 || xR >= 9) {
      continue;
    }

    for (int wC = 0; wC < 3; wC++) {
      int xC = xCCorner + wC * 1;

      if (xC < 0 || xC >= 7) {
        continue;
      }

      float xVal = getX(batch, xR, xC, d1);
      float wVal = getW(wR, wC, q, d1);
      dotProd += xVal * wVal;
    }
  }

  float result = dotProd;
  result = result + getBias(d2);
  setOutput(result);
}
