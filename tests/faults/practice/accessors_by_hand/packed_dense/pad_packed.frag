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

const ivec2 start = ivec2(1, 2);
const ivec2 end = ivec2(1 + 5, 2 + 6);

float getX(int row, int col) {
  return getChannel(texture(x, packedUVfrom2D(3, 3, 3, row, col)), row, col);
}

float padded(ivec2 rc) {
  if (any(lessThan(rc, start)) || any(greaterThanEqual(rc, end))) {
    return -1.0;
  }
  ivec2 source = rc - start;
  return getX(source.x, source.y);
}

void main() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(5, 4));
  ivec2 rc = resTexRC * 2;
  setOutput(vec4(
    padded(rc),
    padded(rc + ivec2(0, 1)),
    padded(rc + ivec2(1, 0)),
    padded(rc + ivec2(1, 1))
  ));
}
