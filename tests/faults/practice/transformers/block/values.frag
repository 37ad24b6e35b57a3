#version 300 es
// merged[t, h * dh + d] = sum over j of p[h, t, j] * v[h, j, d]; heads go back side by side.
precision highp float;
precision highp sampler2D;

uniform sampler2D u_probs;  // (heads * tokens) x tokens
uniform sampler2D u_qkv;
uniform int u_tokens;
uniform int u_dim;
uniform int u_headDim;

out float o_value;

void main() {
  int c = int(gl_FragCoord.x);
  int t = int(gl_FragCoord.y);
  int head = c / u_headDim;

  float acc = 0.0;
  for (int j = 0; j < u_tokens; j++) {
    float p = texelFetch(u_probs, ivec2(j, head * u_tokens + t), 0).r;
    float v = texelFetch(u_qkv, ivec2(2 * u_dim + c, j), 0).r;
    acc += p * v;
  }
  o_value = acc;
}
