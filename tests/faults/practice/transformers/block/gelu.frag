#version 300 es
// First half of the MLP: gelu(x W + b), the tanh version that GPT-2 has.
precision highp float;
precision highp sampler2D;

uniform sampler2D u_x;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform int u_inDim;

out float o_value;

#include "linear.glsl"

const float SQRT_2_OVER_PI = 0.7978845608;

float gelu(float x) {
  float cube = x * x * x;
  return 0.5 * x * (1.0 + tanh(SQRT_2_OVER_PI * (x + 0.044715 * cube)));
}

void main() {
  ivec2 id = ivec2(gl_FragCoord.xy);
  float h = dotRow(u_x, u_w, id.y, id.x, u_inDim) + texelFetch(u_b, ivec2(id.x, 0), 0).r;
  o_value = gelu(h);
}
