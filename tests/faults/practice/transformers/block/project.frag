#version 300 es
// A linear layer whose result goes onto the residual stream.
precision highp float;
precision highp sampler2D;

uniform sampler2D u_x;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform sampler2D u_residual;
uniform int u_inDim;

out float o_value;

#include "linear.glsl"

void main() {
  ivec2 id = ivec2(gl_FragCoord.xy);
  float y = dotRow(u_x, u_w, id.y, id.x, u_inDim);
  y += texelFetch(u_b, ivec2(id.x, 0), 0).r;
  o_value = texelFetch(u_residual, id, 0).r + y;
}
