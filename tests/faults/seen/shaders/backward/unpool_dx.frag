#version 300 es
// Gradient of a largest of 2x2, side by side: what arrives goes to the largest, the first of equal ones.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D y;
uniform sampler2D dy;

out float dx;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 corner = at / 2 * 2;
  float largest = texelFetch(y, at / 2, 0).r;
  ivec2 place = corner;
  for (int k = 3; k >= 0; k--) {
    ivec2 tap = corner + ivec2(k % 2, k / 2);
    if (texelFetch(x, tap, 0).r == largest) place = tap;
  }
  dx = at == place ? texelFetch(dy, at / 2, 0).r : 0.0;
}
