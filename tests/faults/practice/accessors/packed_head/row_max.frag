#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D x;

int imod(int x, int y) {
  return x - y * (x / y);
}

void setOutput(vec4 val) {
  outputColor = val;
}

float getChannel(vec4 frag, vec2 innerDims) {
  vec2 modCoord = mod(innerDims, 2.0);
  return modCoord.x == 0.0 ?
    (modCoord.y == 0.0 ? frag.r : frag.g) :
    (modCoord.y == 0.0 ? frag.b : frag.a);
}

ivec2 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(3.0, 1.0));
  return resTexRC * 2;
}

vec4 getX(int row, int col) {
  ivec2 at = ivec2(col / 2, row / 2);
  vec2 uv = (vec2(at) + halfCR) / vec2(4.0, 3.0);
  return texture(x, uv);
}

void main() {
  int row = getOutputCoords().x;
  vec4 best = getX(row, 0);
  for (int col = 2; col < 6; col += 2) {
    best = max(best, getX(row, col));
  }
  vec4 last = getX(row, 6);
  float upper = max(max(best.r, best.g), last.r);
  float lower = max(max(best.b, best.a), last.b);
  setOutput(vec4(upper, 0.0, lower, 0.0));
}
