#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
// S[h, i, j] = decay[h] S_old[h, i, j] + sum_t k[h, t, i] v[h, t, j]
uniform sampler2D t_k, t_v, t_old, t_decay;
uniform vec2 u_dst;
in vec2 v_uv;
out vec4 o_value;
const int LEN = 13, DK = 6, DV = 5;

void main() {
  ivec2 px = ivec2(v_uv * u_dst);
  int head = px.y / DK, i = px.y - head * DK, j = px.x;
  int base = head * LEN;
  float acc = 0.;
  for (int t = 0; t < LEN; t++) {
    float k = texelFetch(t_k, ivec2(i, base + t), 0).x;
    float v = texelFetch(t_v, ivec2(j, base + t), 0).x;
    acc += k * v;
  }
  float old = texture(t_old, v_uv).x;
  o_value.x = texelFetch(t_decay, ivec2(head, 0), 0).x * old + acc;
}
