#version 300 es
// LayerNorm over the columns of two rows at a time.
#include "packed.glsl"

uniform sampler2D x;
uniform sampler2D gain;
uniform sampler2D offset;
uniform int cols;
uniform float epsilon;

void main() {
  ivec2 rc = getOutputCoords();

  vec2 total = vec2(0.0);
  for (int c = 0; c < cols; c += 2) {
    vec4 block = getBlock(x, rc.x, c);
    total += block.xz;
    if (c + 1 < cols) total += block.yw;
  }
  vec2 mu = total / float(cols);

  vec2 spread = vec2(0.0);
  for (int c = 0; c < cols; c += 2) {
    vec4 away = getBlock(x, rc.x, c) - mu.xxyy;
    spread += away.xz * away.xz;
    if (c + 1 < cols) spread += away.yw * away.yw;
  }
  vec2 inv = inversesqrt(spread / float(cols) + epsilon);

  vec4 value = (getBlock(x, rc.x, rc.y) - mu.xxyy) * inv.xxyy;
  vec4 g = getBlock(gain, 0, rc.y).xyxy;
  vec4 o = getBlock(offset, 0, rc.y).xyxy;
  setOutput(value * g + o);
}
