// A row of x times a column of w: sum over i of x[t, i] * w[i, o].
float dotRow(sampler2D x, sampler2D w, int t, int o, int n) {
  float acc = 0.0;
  for (int i = 0; i < n; i++) {
    acc += texelFetch(x, ivec2(i, t), 0).r * texelFetch(w, ivec2(o, i), 0).r;
  }
  return acc;
}
