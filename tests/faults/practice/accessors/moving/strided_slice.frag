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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(20.0, 4.0));
  int index = resTexRC.x * 4 + resTexRC.y;
  int b = index / 80;
  index -= b * 80;
  int r = index / 20;
  index -= r * 20;
  int c = index / 4;
  index -= c * 4;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 432 + r * 36 + c * 4 + d;
  vec2 uv = uvFromFlat(18, 24, index);
  return sampleTexture(x, uv);
}

const ivec4 begin = ivec4(0, 10, 0, 0);
const ivec4 strides = ivec4(1, -3, 2, 1);

void main() {
  ivec4 coords = getOutputCoords();
  ivec4 at = coords * strides + begin;
  setOutput(getX(at.x, at.y, at.z, at.w));
}
