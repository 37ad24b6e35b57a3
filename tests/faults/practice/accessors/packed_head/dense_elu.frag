#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 resultUV;
out vec4 outputColor;
const vec2 halfCR = vec2(0.5, 0.5);
uniform sampler2D matrixA;
uniform sampler2D matrixB;
uniform sampler2D bias;

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
  ivec2 resTexRC = ivec2(resultUV.yx * vec2(3.0, 5.0));
  return resTexRC * 2;
}

vec4 getMatrixA(int row, int col) {
  ivec2 at = ivec2(col / 2, row / 2);
  vec2 uv = (vec2(at) + halfCR) / vec2(7.0, 3.0);
  return texture(matrixA, uv);
}

vec4 getMatrixB(int row, int col) {
  ivec2 at = ivec2(col / 2, row / 2);
  vec2 uv = (vec2(at) + halfCR) / vec2(5.0, 7.0);
  return texture(matrixB, uv);
}

vec4 getBias(int row, int col) {
  ivec2 at = ivec2(col / 2, row / 2);
  vec2 uv = (vec2(at) + halfCR) / vec2(5.0, 1.0);
  return texture(bias, uv);
}

float elu(float x) {
  return (x >= 0.0) ? x : (exp(x) - 1.0);
}

vec4 activation(vec4 x) {
  vec4 result;
  result.r = elu(x.r);
  result.g = elu(x.g);
  result.b = elu(x.b);
  result.a = elu(x.a);
  return result;
}

const int sharedDimension = 7;

vec4 dot2x2ARowBCol(ivec2 rc) {
  vec4 result = vec4(0);
  for (int i = 0; i < sharedDimension; i++) {
    vec4 a = getMatrixA(rc.x, i * 2);
    vec4 b = getMatrixB(i * 2, rc.y);

    // The inner dimension of the products is rolled out by two.
    result += (a.rrbb * b.rgrg);
    result += (a.ggaa * b.baba);
  }
  return result;
}

void main() {
  ivec2 rc = getOutputCoords();
  vec4 result = dot2x2ARowBCol(rc);
  vec4 biased = result + getBias(0, rc.y).rgrg;
  setOutput(activation(biased));
}
