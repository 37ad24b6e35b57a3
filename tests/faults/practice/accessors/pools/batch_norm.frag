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
uniform sampler2D offset;
uniform sampler2D scale;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(30.0, 5.0));
  int index = resTexRC.x * 5 + resTexRC.y;
  int b = index / 150;
  index -= b * 150;
  int r = index / 30;
  index -= r * 30;
  int c = index / 5;
  index -= c * 5;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 150 + r * 30 + c * 5 + d;
  vec2 uv = uvFromFlat(10, 15, index);
  return sampleTexture(x, uv);
}

float getMean(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(5.0, 1.0);
  return sampleTexture(mean, uv);
}

float getVariance(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(5.0, 1.0);
  return sampleTexture(variance, uv);
}

float getOffset(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(5.0, 1.0);
  return sampleTexture(offset, uv);
}

float getScale(int i) {
  vec2 uv = (vec2(i, 0) + halfCR) / vec2(5.0, 1.0);
  return sampleTexture(scale, uv);
}

const float varianceEpsilon = 0.01;

void main() {
  ivec4 coords = getOutputCoords();
  float x = getX(coords.x, coords.y, coords.z, coords.w);
  float mean = getMean(coords.w);
  float variance = getVariance(coords.w);
  float offset = getOffset(coords.w);
  float scale = getScale(coords.w);
  float inv = scale * inversesqrt(variance + varianceEpsilon);
  setOutput((x - mean) * inv + offset);
}
