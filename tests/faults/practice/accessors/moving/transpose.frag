#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D A;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(18.0, 24.0));
  int index = resTexRC.x * 24 + resTexRC.y;
  int b = index / 432;
  index -= b * 432;
  int r = index / 36;
  index -= r * 36;
  int c = index / 4;
  index -= c * 4;
  return ivec4(b, r, c, index);
}

float getA(int b, int r, int c, int d) {
  int index = b * 432 + r * 48 + c * 4 + d;
  vec2 uv = uvFromFlat(108, 4, index);
  return sampleTexture(A, uv);
}

void main() {
  ivec4 resRC = getOutputCoords();
  setOutput(getA(resRC.x, resRC.z, resRC.y, resRC.w));
}
