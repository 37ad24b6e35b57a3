#version 300 es
// Gradient of a mean of squared differences by what was predicted.
precision highp float;
precision highp sampler2D;

uniform sampler2D y;
uniform sampler2D target;
const float COUNT = 24.0;

out float dy;

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float e = texelFetch(y, texel, 0).r - texelFetch(target, texel, 0).r;
  dy = 2.0 * e / COUNT;
}
