#version 300 es
// FusedBatchNorm of the innermost axis, then leakyRelu.
#include "runtime.glsl"

uniform sampler2D x;
uniform sampler2D mean;
uniform sampler2D variance;
uniform sampler2D offset;
uniform sampler2D scale;
uniform float varianceEpsilon;
uniform float alpha;

float getXAtOutCoords() {
  return sampleTexture(x, resultUV);
}

float getMeanAtOutCoords() {
  return sampleTexture(mean, vec2(resultUV.x, 0.5));
}

float getVarianceAtOutCoords() {
  return sampleTexture(variance, vec2(resultUV.x, 0.5));
}

float getOffsetAtOutCoords() {
  return sampleTexture(offset, vec2(resultUV.x, 0.5));
}

float getScaleAtOutCoords() {
  return sampleTexture(scale, vec2(resultUV.x, 0.5));
}

void main() {
  float x = getXAtOutCoords();
  float mean = getMeanAtOutCoords();
  float variance = getVarianceAtOutCoords();
  float offset = getOffsetAtOutCoords();
  float scale = getScaleAtOutCoords();
  float inv = scale * inversesqrt(variance + varianceEpsilon);
  float y = (x - mean) * inv + offset;
  setOutput(y < 0.0 ? alpha * y : y);
}
