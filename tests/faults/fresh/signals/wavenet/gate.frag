#version 330
// y = tanh(f) sigmoid(g), f the first half of a dilated causal convolution's channels, g the other
#include "seq.glsl"
uniform sampler2D x, w, b;
uniform int C, K, D, T;
out float y;
void main() {
    int i = me(), o = i / T, t = i % T;
    vec2 a = vec2(at(b, o), at(b, o + C));
    for (int k = 0; k < K; ++k) {
        int s = t - (K - 1 - k) * D;
        if (s < 0) continue;
        for (int c = 0; c < C; ++c) {
            int j = (o * C + c) * K + k;
            a += at(x, c * T + s) * vec2(at(w, j), at(w, j + C * C * K));
        }
    }
    y = tanh(a.x) / (1. + exp(-a.y));
}
