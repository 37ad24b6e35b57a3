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

uniform sampler2D A;

// 3 x 5 x 7, two logical rows and columns a texel
float getA(int b, int row, int col) {
  int texelIndex = b * 12 + (row / 2) * 4 + (col / 2);
  int texR = texelIndex / 4;
  int texC = texelIndex - texR * 4;
  vec2 uv = (vec2(texC, texR) + halfCR) / vec2(4, 9);
  return getChannel(texture(A, uv), row, col);
}

ivec3 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(14, 3));
  int index = resTexRC.x * 3 + resTexRC.y;
  int b = index / 6;
  index -= b * 6;
  int r = 2 * (index / 3);
  int c = (index - (index / 3) * 3) * 2;
  return ivec3(b, r, c);
}

void main() {
  ivec3 rc = getOutputCoords();
  vec4 result = vec4(0.);
  result[0] = getA(rc.y, rc.z, rc.x);
  if (++rc.z < 5) {
    result[1] = getA(rc.y, rc.z, rc.x);
  }
  --rc.z;
  if (++rc.y < 3) {
    result[2] = getA(rc.y, rc.z, rc.x);
    if (++rc.z < 5) {
      result[3] = getA(rc.y, rc.z, rc.x);
    }
  }
  setOutput(result);
}
