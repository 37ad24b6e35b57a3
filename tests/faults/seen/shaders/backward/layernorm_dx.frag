#version 300 es
// Gradient of a layer normalisation by its input, of rows.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D gamma;
uniform sampler2D dy;
const int LENGTH = 10;
const float EPSILON = 0.001;

out float dx;

float getX(int row, int i) {
  return texelFetch(x, ivec2(i, row), 0).r;
}

float getG(int row, int i) {
  return texelFetch(dy, ivec2(i, row), 0).r * texelFetch(gamma, ivec2(i, 0), 0).r;
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float n = float(LENGTH);

  float mean = 0.0;
  for (int i = 0; i < LENGTH; i++)
    mean += getX(texel.y, i);
  mean /= n;
  float squares = 0.0;
  for (int i = 0; i < LENGTH; i++) {
    float away = getX(texel.y, i) - mean;
    squares += away * away;
  }
  float inverse = inversesqrt(squares / n + EPSILON);

  float gSum = 0.0;
  float alongSum = 0.0;
  for (int i = 0; i < LENGTH; i++) {
    float normal = (getX(texel.y, i) - mean) * inverse;
    gSum += getG(texel.y, i);
    alongSum += getG(texel.y, i) * normal;
  }
  float normal = (getX(texel.y, texel.x) - mean) * inverse;
  float left = getG(texel.y, texel.x) - gSum / n - normal * alongSum / n;
  dx = left * inverse;
}
