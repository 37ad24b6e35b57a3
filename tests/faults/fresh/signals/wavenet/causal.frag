#version 330
// y[o, t] = b[o] + sum_{c, k} w[o, c, k] x[c, t - (K - 1 - k)]
#include "seq.glsl"
uniform sampler2D x, w, b;
uniform int C, K, T;
out float y;
void main() {
    int i = me(), o = i / T, t = i % T;
    float acc = at(b, o);
    for (int j = 0; j < C * K; ++j) {
        int c = j / K, k = j % K, s = t + k - (K - 1);
        acc += s < 0 ? 0. : at(w, o * C * K + j) * at(x, c * T + s);
    }
    y = acc;
}
