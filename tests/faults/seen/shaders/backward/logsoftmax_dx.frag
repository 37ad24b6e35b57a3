#version 300 es
// Gradient of the logarithm of a softmax: dy less each share of the sum of dy.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D y;
uniform sampler2D dy;
const int LENGTH = 9;

out float dx;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float total = 0.0;
  for (int i = 0; i < LENGTH; i++)
    total += texelFetch(dy, ivec2(i, texel.y), 0).r;
  float share = exp(texelFetch(y, texel, 0).r);
  dx = texelFetch(dy, texel, 0).r - share * total;
}
