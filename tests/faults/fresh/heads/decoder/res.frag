#version 330
// y = r + x W^T
#include "g.glsl"
uniform sampler2D X, W, r;
uniform int n;
out float o;
void main() {
    float a = 0.;
    for (int i = 0; i < n; i++) a += g(X, i, R) * g(W, i, C);
    o = g(r, C, R) + a;
}
