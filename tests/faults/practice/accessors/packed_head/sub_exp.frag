#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D A;
uniform sampler2D B;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(3.0, 4.0));
  return resTexRC * 2;
}

vec4 getA(int row, int col) {
  ivec2 at = ivec2(col / 2, row / 2);
  vec2 uv = (vec2(at) + halfCR) / vec2(4.0, 3.0);
  return texture(A, uv);
}

vec4 getB(int row, int col) {
  ivec2 at = ivec2(col / 2, row / 2);
  vec2 uv = (vec2(at) + halfCR) / vec2(1.0, 3.0);
  return texture(B, uv);
}

vec4 getBAtOutCoords(ivec2 rc) {
  vec4 outputValue = getB(rc.x, 0);
  return vec4(outputValue.rr, outputValue.bb);
}

void main() {
  ivec2 rc = getOutputCoords();
  vec4 a = getA(rc.x, rc.y);
  vec4 b = getBAtOutCoords(rc);
  setOutput(exp(a - b));
}
