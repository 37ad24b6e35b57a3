#version 330
// y = x W^T + b, a row a token
#include "g.glsl"
uniform sampler2D X, W, B;
uniform int n;
out float o;
void main() {
    float a = g(B, C, 0);
    for (int i = 0; i < n; i++) a += g(X, i, R) * g(W, i, C);
    o = a;
}
