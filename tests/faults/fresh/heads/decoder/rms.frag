#version 330
// x / sqrt(mean(x^2) + e) * w
#include "g.glsl"
uniform sampler2D X, w;
uniform int D;
uniform float e;
out float o;
void main() {
    float s = 0.;
    for (int i = 0; i < D; i++) { float a = g(X, i, R); s += a * a; }
    o = g(X, C, R) * inversesqrt(s / float(D) + e) * g(w, C, 0);
}
