#version 300 es
// MatMulPacked: [11, 13] x [13, 9], fused bias and elu.
#include "packed.glsl"

uniform sampler2D matrixA;
uniform sampler2D matrixB;
uniform sampler2D bias;
uniform float elu_alpha;

const int sharedDimension = 7;

vec4 dot2x2ARowBCol(ivec2 rc) {
  vec4 result = vec4(0);
  for (int i = 0; i < sharedDimension; i++) {
    vec4 a = getBlock(matrixA, rc.x, i * 2);
    vec4 b = getBlock(matrixB, i * 2, rc.y);

    result += (a.rrbb * b.rgrg);
    result += (a.ggaa * b.baba);
  }
  return result;
}

vec4 getBiasAtOutCoords(ivec2 rc) {
  vec4 row = getBlock(bias, 0, rc.y);
  return vec4(row.xy, row.xy);
}

vec4 activation(vec4 x) {
  vec4 result;
  result.r = x.r >= 0.0 ? x.r : elu_alpha * (exp(x.r) - 1.0);
  result.g = x.g >= 0.0 ? x.g : elu_alpha * (exp(x.g) - 1.0);
  result.b = x.b >= 0.0 ? x.b : elu_alpha * (exp(x.b) - 1.0);
  result.a = x.a >= 0.0 ? x.a : elu_alpha * (exp(x.a) - 1.0);
  return result;
}

void main() {
  ivec2 rc = getOutputCoords();
  vec4 result = dot2x2ARowBCol(rc);
  result += getBiasAtOutCoords(rc);
  result = activation(result);
  setOutput(result);
}
