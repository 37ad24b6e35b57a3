#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D A;
uniform sampler2D B;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(3.0, 50.0));
  int index = resTexRC.x * 50 + resTexRC.y;
  int b = index / 150;
  index -= b * 150;
  int r = index / 30;
  index -= r * 30;
  int c = index / 5;
  index -= c * 5;
  return ivec4(b, r, c, index);
}

float getA(int b, int r, int c, int d) {
  int index = b * 150 + r * 30 + c * 5 + d;
  vec2 uv = uvFromFlat(30, 5, index);
  return sampleTexture(A, uv);
}

float getB(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(5.0, 1.0);
  return sampleTexture(B, uv);
}

float getAAtOutCoords() {
  ivec4 coords = getOutputCoords();
  return getA(coords.x, coords.y, coords.z, coords.w);
}

float getBAtOutCoords() {
  ivec4 coords = getOutputCoords();
  return getB(coords.w);
}

float binaryOperation(float a, float b) {
  return (a < 0.) ? b * a : a;
}

void main() {
  setOutput(binaryOperation(getAAtOutCoords(), getBAtOutCoords()));
}
