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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(56.0, 6.0));
  int index = resTexRC.x * 6 + resTexRC.y;
  int b = index / 336;
  index -= b * 336;
  int r = index / 42;
  index -= r * 42;
  int c = index / 6;
  index -= c * 6;
  return ivec4(b, r, c, index);
}

float getA(int b, int r, int c, int d) {
  int index = b * 336 + r * 42 + c * 6 + d;
  vec2 uv = uvFromFlat(24, 14, index);
  return sampleTexture(A, uv);
}

float getB(int b, int r, int c, int d) {
  int index = b * 336 + r * 42 + c * 6 + d;
  vec2 uv = uvFromFlat(16, 21, index);
  return sampleTexture(B, uv);
}

float getAAtOutCoords() {
  ivec4 coords = getOutputCoords();
  return getA(coords.x, coords.y, coords.z, coords.w);
}

float getBAtOutCoords() {
  ivec4 coords = getOutputCoords();
  return getB(coords.x, coords.y, coords.z, coords.w);
}

float binaryOperation(float a, float b) {
  return a + b;
}

void main() {
  float a = getAAtOutCoords();
  float b = getBAtOutCoords();
  setOutput(binaryOperation(a, b));
}
