#version 300 es
// The packed projection: row t is [q | k | v], each D wide.
precision highp float;
precision highp sampler2D;

uniform sampler2D u_x;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform int u_dim;

out float o_value;

#include "linear.glsl"

void main() {
  int t = int(gl_FragCoord.y);
  int o = int(gl_FragCoord.x);
  o_value = dotRow(u_x, u_w, t, o, u_dim) + texelFetch(u_b, ivec2(o, 0), 0).r;
}
