#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D A;
uniform sampler2D B;
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

ivec2 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(7.0, 9.0));
  return resTexRC;
}

float getA(int row, int col) {
  int index = row * 26 + col;
  vec2 uv = uvFromFlat(14, 13, index);
  return sampleTexture(A, uv);
}

float getB(int row, int col) {
  vec2 uv = (vec2(col, row) + halfCR) / vec2(9.0, 26.0);
  return sampleTexture(B, uv);
}

float getBias(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(9.0, 1.0);
  return sampleTexture(bias, uv);
}

float selu(float x) {
  float scaleAlpha = 1.7580993408473768;
  float scale = 1.0507009873554805;
  return (x >= 0.0) ? scale * x : scaleAlpha * (exp(x) - 1.0);
}

void main() {
  ivec2 coords = getOutputCoords();
  int i = coords.x;
  int j = coords.y;

  float result = 0.0;
  for (int k = 0; k < 26; k += 2) {
    vec2 a = vec2(getA(i, k), getA(i, k + 1));
    vec2 b = vec2(getB(k, j), getB(k + 1, j));
    result += dot(a, b);
  }
  setOutput(selu(result + getBias(j)));
}
