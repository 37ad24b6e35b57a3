#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
// out[t] = bo + sum over heads h, values j of o[h, t, j] wo[h * DV + j]
uniform sampler2D t_o, t_w, t_b;
uniform vec2 u_dst;
in vec2 v_uv;
out vec4 o_value;
const int LEN = 13, HEADS = 3, DV = 5;

void main() {
  int col = int(v_uv.x * u_dst.x), t = int(v_uv.y * u_dst.y);
  float acc = texelFetch(t_b, ivec2(col, 0), 0).x;
  for (int m = 0; m < HEADS * DV; m++) {
    int head = m / DV, j = m % DV;
    acc += texelFetch(t_o, ivec2(j, head * LEN + t), 0).x * texelFetch(t_w, ivec2(col, m), 0).x;
  }
  o_value.x = acc;
}
