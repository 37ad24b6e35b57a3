#version 300 es
// Layer normalisation of rows as a code generator writes it: getX, getGamma, getBeta, one value a texel.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D gamma;
uniform sampler2D beta;
const int rowLength = 10;
const float epsilon = 0.001;

out float outputValue;

float getX(int row, int i) {
  return texelFetch(x, ivec2(i, row), 0).r;
}

float getGamma(int i) {
  return texelFetch(gamma, ivec2(i, 0), 0).r;
}

float getBeta(int i) {
  return texelFetch(beta, ivec2(i, 0), 0).r;
}

void main() {
  ivec2 rc = ivec2(gl_FragCoord.yx);

  float mean = 0.0;
  for (int i = 0; i < rowLength; i++) {
    mean += getX(rc.x, i);
  }
  mean = mean / float(rowLength);

  float squares = 0.0;
  for (int i = 0; i < rowLength; i++) {
    float d = getX(rc.x, i) - mean;
    squares += d * d;
  }
  float variance = squares / float(rowLength);

  float normal = (getX(rc.x, rc.y) - mean) / sqrt(variance + epsilon);
  outputValue = normal * getGamma(rc.y) + getBeta(rc.y);
}
