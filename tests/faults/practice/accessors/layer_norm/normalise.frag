#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D x;
uniform sampler2D mean;
uniform sampler2D variance;
uniform sampler2D gamma;
uniform sampler2D beta;
uniform float epsilon;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(14.0, 13.0));
  int index = resTexRC.x * 13 + resTexRC.y;
  int row = index / 26;
  index -= row * 26;
  return ivec2(row, index);
}

float getX(int row, int col) {
  vec2 uv = (vec2(col, row) + halfCR) / vec2(26.0, 7.0);
  return sampleTexture(x, uv);
}

float getMean(int row, int col) {
  vec2 uv = (vec2(col, row) + halfCR) / vec2(1.0, 7.0);
  return sampleTexture(mean, uv);
}

float getVariance(int row, int col) {
  vec2 uv = (vec2(col, row) + halfCR) / vec2(1.0, 7.0);
  return sampleTexture(variance, uv);
}

float getGamma(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(26.0, 1.0);
  return sampleTexture(gamma, uv);
}

float getBeta(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(26.0, 1.0);
  return sampleTexture(beta, uv);
}

void main() {
  ivec2 coords = getOutputCoords();
  int row = coords.x;
  int col = coords.y;

  float centred = getX(row, col) - getMean(row, 0);
  float scaled = centred * inversesqrt(getVariance(row, 0) + epsilon);
  setOutput(scaled * getGamma(col) + getBeta(col));
}
