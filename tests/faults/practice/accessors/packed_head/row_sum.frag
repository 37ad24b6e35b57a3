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
  vec2 total = vec2(0.0);
  for (int col = 0; col < 7; col += 2) {
    vec4 values = getX(row, col);
    bool hasNext = col + 1 < 7;
    total.x += values.r + (hasNext ? values.g : 0.0);
    total.y += values.b + (hasNext ? values.a : 0.0);
  }
  setOutput(vec4(total.x, 0.0, total.y, 0.0));
}
