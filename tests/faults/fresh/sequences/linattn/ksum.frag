#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D t_k;
uniform vec2 u_dst;
in vec2 v_uv;
out vec4 o_value;
const int LEN = 13;

void main() {
  int head = int(v_uv.y * u_dst.y), i = int(v_uv.x * u_dst.x);
  float s = 0.;
  for (int t = head * LEN; t < (head + 1) * LEN; t++)
    s += texelFetch(t_k, ivec2(i, t), 0).x;
  o_value.x = s;
}
