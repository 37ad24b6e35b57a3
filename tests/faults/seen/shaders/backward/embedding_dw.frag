#version 300 es
// Gradient of a table of which rows were looked up: each row adds up what arrives at its uses.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D places;
uniform sampler2D dy;
const int USES = 9;

out float dw;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float sum = 0.0;
  for (int k = 0; k < USES; k++) {
    if (int(texelFetch(places, ivec2(k, 0), 0).r) != texel.y) continue;
    sum += texelFetch(dy, ivec2(texel.x, k), 0).r;
  }
  dw = sum;
}
