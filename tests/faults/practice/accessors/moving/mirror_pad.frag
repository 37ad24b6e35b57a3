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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(108.0, 4.0));
  int index = resTexRC.x * 4 + resTexRC.y;
  int b = index / 432;
  index -= b * 432;
  int r = index / 48;
  index -= r * 48;
  int c = index / 4;
  index -= c * 4;
  return ivec4(b, r, c, index);
}

float getX(int b, int r, int c, int d) {
  int index = b * 216 + r * 36 + c * 4 + d;
  vec2 uv = uvFromFlat(54, 4, index);
  return sampleTexture(x, uv);
}

const ivec4 start = ivec4(0, 2, 1, 0);
const ivec4 end = ivec4(1, 8, 10, 4);
const int offset = 0;

void main() {
  ivec4 outC = getOutputCoords();
  for (int i = 0; i < 4; i++) {
    if (outC[i] < start[i]) {
      outC[i] = start[i] * 2 - outC[i] - offset;
    } else if (outC[i] >= end[i]) {
      outC[i] = (end[i] - 1) * 2 - outC[i] + offset;
    }
  }
  ivec4 coords = outC - start;
  setOutput(getX(coords.x, coords.y, coords.z, coords.w));
}
