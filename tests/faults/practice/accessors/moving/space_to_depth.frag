#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D x;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(10.0, 16.0));
  int index = resTexRC.x * 16 + resTexRC.y;
  int b = index / 160;
  index -= b * 160;
  int r = index / 80;
  index -= r * 80;
  int c = index / 16;
  index -= c * 16;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 160 + r * 40 + c * 4 + d;
  vec2 uv = uvFromFlat(10, 16, index);
  return sampleTexture(x, uv);
}

const int blockSize = 2;
const int inputDepth = 4;

void main() {
  ivec4 coords = getOutputCoords();
  int d = coords.w;

  int block = d / inputDepth;
  int in_d = d - block * inputDepth;
  int offset_h = block / blockSize;
  int offset_w = block - offset_h * blockSize;

  int in_h = coords.y * blockSize + offset_h;
  int in_w = coords.z * blockSize + offset_w;
  setOutput(getX(coords.x, in_h, in_w, in_d));
}
