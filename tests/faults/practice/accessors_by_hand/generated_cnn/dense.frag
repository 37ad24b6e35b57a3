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
uniform sampler2D matrixB;
uniform sampler2D bias;

float getX(int row, int col, int depth, int depth2) {
  int index = row * 30 + col * 10 + depth * 5 + depth2;
  vec2 uv = uvFromFlat(5, 6, index);
  return sampleTexture(x, uv);
}

// The model flattens channels first, the texture has them last.
float getFlat(int b, int k) {
  int c = k / 6;
  k -= c * 6;
  int h = k / 2;
  int w = k - h * 2;
  return getX(b, h, w, c);
}

float getMatrixB(int row, int col) {
  vec2 uv = (vec2(col, row) + halfCR) / vec2(7.0, 30.0);
  return sampleTexture(matrixB, uv);
}

float getBias(int index) {
  vec2 uv = vec2((float(index) + 0.5) / 7.0, 0.5);
  return sampleTexture(bias, uv);
}

ivec2 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(1, 7));
  return resTexRC;
}

void main() {
  ivec2 rc = getOutputCoords();
  float result = getBias(rc.y);
  for (int i = 0; i < 30; i++) {
    result += getFlat(rc.x, i) * getMatrixB(i, rc.y);
  }
  setOutput(result);
}
