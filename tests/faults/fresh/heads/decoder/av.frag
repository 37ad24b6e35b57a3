#version 330
// c[i, h * d + c] = sum_j p[h, i, j] v[j, h / share, c]; v behind q and k
#include "g.glsl"
uniform sampler2D p, qkv;
uniform int T, d, Hq, Hk;
out float o;
void main() {
    int h = C / d, c = C % d, v = (Hq + Hk + h / (Hq / Hk)) * d + c;
    float a = 0.;
    for (int j = 0; j <= R; j++) a += g(p, j, h * T + R) * g(qkv, v, j);
    o = a;
}
