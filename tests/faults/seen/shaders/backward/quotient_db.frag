#version 300 es
// Gradient of a quotient a / b by b.
precision highp float;
precision highp sampler2D;

uniform sampler2D a;
uniform sampler2D b;
uniform sampler2D dy;

out float db;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float divisor = texelFetch(b, texel, 0).r;
  db = -texelFetch(dy, texel, 0).r * texelFetch(a, texel, 0).r / (divisor * divisor);
}
