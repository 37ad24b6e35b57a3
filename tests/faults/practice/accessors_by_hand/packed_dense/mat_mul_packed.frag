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

uniform sampler2D matrixA;
uniform sampler2D matrixB;
uniform sampler2D bias;

vec4 getMatrixA(int row, int col) {
  return texture(matrixA, packedUVfrom2D(4, 3, 4, row, col));
}

vec4 getMatrixB(int row, int col) {
  return texture(matrixB, packedUVfrom2D(3, 4, 3, row, col));
}

float getBias(int index) {
  return texture(bias, vec2((float(index) + 0.5) / 6.0, 0.5)).r;
}

ivec2 getOutputCoords() {
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(3, 3));
  int index = resTexRC.x * 3 + resTexRC.y;
  int r = 2 * (index / 3);
  int c = (index - (index / 3) * 3) * 2;
  return ivec2(r, c);
}

const float sharedDimension = 4.0;

vec4 dot2x2ARowBCol(ivec2 rc) {
  vec4 result = vec4(0);
  for (int i = 0; i < int(sharedDimension); i++) {
    vec4 a = getMatrixA(rc.x, i * 2);
    vec4 b = getMatrixB(i * 2, rc.y);

    // These swizzled products need to be separately added.
    result += (a.xxzz * b.xyxy);
    result += (a.yyww * b.zwzw);
  }
  return result;
}

vec4 activation(vec4 x) {
  vec4 aLessThanZero = vec4(lessThan(x, vec4(0.)));
  return (aLessThanZero * (0.2 * x)) + ((vec4(1.0) - aLessThanZero) * x);
}

void main() {
  ivec2 rc = getOutputCoords();
  vec4 result = dot2x2ARowBCol(rc);
  vec2 b = vec2(getBias(rc.y), getBias(rc.y + 1));
  result += b.xyxy;
  result = activation(result);
  setOutput(result);
}
