#version 300 es
// s[h, i, j] = q[h, i] . k[h, j] / sqrt(dh), pushed far down where j comes after i.
// q and k live side by side in the packed texture: columns [0, D) are q, [D, 2D) are k.
precision highp float;
precision highp int;  // or float(u_headDim) is a half, and its root with it
precision highp sampler2D;

uniform sampler2D u_qkv;
uniform int u_tokens;
uniform int u_dim;
uniform int u_headDim;

out float o_score;

const float MASKED = -10000.0;

float q(int i, int c) { return texelFetch(u_qkv, ivec2(c, i), 0).r; }
float k(int j, int c) { return texelFetch(u_qkv, ivec2(u_dim + c, j), 0).r; }

void main() {
  int j = int(gl_FragCoord.x);
  int row = int(gl_FragCoord.y);
  int head = row / u_tokens;
  int i = row % u_tokens;

  float s = 0.0;
  for (int d = 0; d < u_headDim; d++) {
    int c = head * u_headDim + d;
    s += q(i, c) * k(j, c);
  }
  s /= sqrt(float(u_headDim));
  if (j > i) s += MASKED;
  o_score = s;
}
