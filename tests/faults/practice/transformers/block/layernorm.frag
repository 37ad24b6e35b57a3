#version 300 es
// y[t, d] = (x[t, d] - mean_t) / sqrt(var_t + eps) * gamma[d] + beta[d]
precision highp float;
precision highp sampler2D;

uniform sampler2D u_x;      // tokens x channels
uniform sampler2D u_gamma;
uniform sampler2D u_beta;
uniform int u_dim;

out float o_value;

#define EPS 1e-5

void main() {
  ivec2 id = ivec2(gl_FragCoord.xy);  // (channel, token)

  float mean = 0.0;
  for (int i = 0; i < u_dim; i++) {
    mean += texelFetch(u_x, ivec2(i, id.y), 0).r;
  }
  mean /= float(u_dim);

  float variance = 0.0;
  for (int i = 0; i < u_dim; i++) {
    float d = texelFetch(u_x, ivec2(i, id.y), 0).r - mean;
    variance += d * d;
  }
  variance /= float(u_dim);

  float normed = (texelFetch(u_x, id, 0).r - mean) * inversesqrt(variance + EPS);
  float gamma = texelFetch(u_gamma, ivec2(id.x, 0), 0).r;
  float beta = texelFetch(u_beta, ivec2(id.x, 0), 0).r;
  o_value = normed * gamma + beta;
}
