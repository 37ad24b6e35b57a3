#version 330
// silu(x W1^T) * (x W3^T)
#include "g.glsl"
uniform sampler2D X, W1, W3;
uniform int n;
out float o;
void main() {
    vec2 a = vec2(0.);
    for (int i = 0; i < n; i++) a += g(X, i, R) * vec2(g(W1, i, C), g(W3, i, C));
    o = a.x / (1. + exp(-a.x)) * a.y;
}
