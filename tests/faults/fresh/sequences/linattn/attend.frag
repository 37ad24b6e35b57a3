#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D t_q, t_s, t_z;
uniform vec2 u_dst;
uniform float u_eps;
in vec2 v_uv;
out vec4 o_value;
const int LEN = 13, DK = 6, DV = 5;

void main() {
  int j = int(v_uv.x * u_dst.x);
  int row = int(v_uv.y * u_dst.y);
  int head = row / LEN;
  float num = 0., den = 0.;
  for (int i = 0; i < DK; i++) {
    float q = texelFetch(t_q, ivec2(i, row), 0).x;
    num += q * texelFetch(t_s, ivec2(j, head * DK + i), 0).x;
    den += q * texelFetch(t_z, ivec2(i, head), 0).x;
  }
  o_value.x = num / (den + u_eps);
}
