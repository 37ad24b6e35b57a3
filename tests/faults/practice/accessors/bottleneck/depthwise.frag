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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(16.0, 21.0));
  int index = resTexRC.x * 21 + resTexRC.y;
  int b = index / 336;
  index -= b * 336;
  int r = index / 42;
  index -= r * 42;
  int c = index / 6;
  index -= c * 6;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 336 + r * 42 + c * 6 + d;
  vec2 uv = uvFromFlat(16, 21, index);
  return sampleTexture(x, uv);
}

float getW(int b, int r, int c, int d) {
  int index = b * 18 + r * 6 + c * 6 + d;
  vec2 uv = uvFromFlat(9, 6, index);
  return sampleTexture(W, uv);
}

float getBias(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(6.0, 1.0);
  return sampleTexture(bias, uv);
}

float getBiasAtOutCoords() {
  ivec4 coords = getOutputCoords();
  return getBias(coords.w);
}

void main() {
  ivec4 coords = getOutputCoords();
  int batch = coords.x;
  ivec2 xRCCorner = coords.yz * ivec2(1, 1) - ivec2(1, 1);
  int d2 = coords.w;
  int d1 = d2 / 1;
  int q = d2 - d1 * 1;

  float dotProd = 0.0;
  for (int wR = 0; wR < 3; wR++) {
    int xR = xRCCorner.x + wR * 1;
    if (xR < 0 || xR >= 8) {
      continue;
    }
    for (int wC = 0; wC < 3; wC++) {
      int xC = xRCCorner.y + wC * 1;
      if (xC < 0 || xC >= 7) {
        continue;
      }
      float xVal = getX(batch, xR, xC, d1);
      float wVal = getW(wR, wC, q, d1);
      dotProd += xVal * wVal;
    }
  }

  float biased = dotProd + getBiasAtOutCoords();
  float result = clamp(biased, 0.0, 6.0);
  setOutput(result);
}
