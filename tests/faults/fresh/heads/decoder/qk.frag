#version 330
// s[h, i, j] in row h * T + i; Hq query heads share Hk key heads
#include "g.glsl"
uniform sampler2D rot;
uniform int T, d, Hq, Hk;
out float o;
void main() {
    int h = R / T, i = R % T, j = C, kh = h / (Hq / Hk);
    if (j > i) { o = -1e4; return; }
    float a = 0.;
    for (int c = 0; c < d; c++) a += g(rot, h * d + c, i) * g(rot, (Hq + kh) * d + c, j);
    o = a / sqrt(float(d));
}
