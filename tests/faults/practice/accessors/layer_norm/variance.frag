#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D x;
uniform sampler2D mean;

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

ivec2 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(7.0, 1.0));
  return resTexRC;
}

float getX(int row, int col) {
  vec2 uv = (vec2(col, row) + halfCR) / vec2(26.0, 7.0);
  return sampleTexture(x, uv);
}

float getMean(int row, int col) {
  vec2 uv = (vec2(col, row) + halfCR) / vec2(1.0, 7.0);
  return sampleTexture(mean, uv);
}

void main() {
  int row = getOutputCoords().x;
  float mean = getMean(row, 0);
  float sumOfSquares = 0.0;
  for (int i = 0; i < 26; i++) {
    float centred = getX(row, i) - mean;
    sumOfSquares += centred * centred;
  }
  float inverseCount = 1.0 / 26.0;
  setOutput(sumOfSquares * inverseCount);
}
