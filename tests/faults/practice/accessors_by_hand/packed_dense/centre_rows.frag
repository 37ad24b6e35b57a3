#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);

void setOutput(vec4 val) {
  outputColor = val;
}

vec2 packedUVfrom2D(int texelsInLogicalRow, int texNumR, int texNumC, int row, int col) {
  int texelIndex = (row / 2) * texelsInLogicalRow + (col / 2);
  int texR = texelIndex / texNumC;
  int texC = texelIndex - texR * texNumC;
  return (vec2(texC, texR) + halfCR) / vec2(texNumC, texNumR);
}

float getChannel(vec4 frag, int row, int col) {
  return (row & 1) == 0 ? ((col & 1) == 0 ? frag.r : frag.g) : ((col & 1) == 0 ? frag.b : frag.a);
}

uniform sampler2D x;
uniform sampler2D gain;

float getX(int row, int col) {
  return getChannel(texture(x, packedUVfrom2D(3, 3, 3, row, col)), row, col);
}

float getGain(int index) {
  return texture(gain, vec2((float(index) + 0.5) / 6.0, 0.5)).r;
}

float getMean(int row) {
  float sum = 0.0;
  for (int i = 0; i < 6; i++) {
    sum += getX(row, i);
  }
  return sum / 6.0;
}

void main() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(3, 3));
  int r = resTexRC.x * 2;
  int c = resTexRC.y * 2;

  float mean0 = getMean(r);
  float mean1 = r + 1 < 5 ? getMean(r + 1) : 0.0;

  vec4 result = vec4(0.);
  result.x = (getX(r, c) - mean0) * getGain(c);
  result.y = (getX(r, c + 1) - mean0) * getGain(c + 1);
  if (r + 1 < 5) {
    result.z = (getX(r + 1, c) - mean1) * getGain(c);
    result.w = (getX(r + 1, c + 1) - mean1) * getGain(c + 1);
  }
  setOutput(result);
}
