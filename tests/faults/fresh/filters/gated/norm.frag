#version 430
#include "common.glsl"
layout(binding = 0) uniform sampler2D x;
out vec4 color;

const vec4 gamma[3] = vec4[](vec4(0.62717, 0.62253, 1.31561, 1.19136), vec4(1.20739, 0.89898, 1.29526, 0.37046), vec4(1.29987, 1.09105, 1.04952, 0.84464));
const vec4 beta[3] = vec4[](vec4(-0.86507, 0.29651, -0.32564, 0.10918), vec4(-0.26741, 0.17634, -0.02911, 0.23077), vec4(-0.06914, 0.16466, 0.10002, -0.68933));
#define EPS 0.02

void main() {
    HERE();
    t = min(t, 2);
    vec4 v0 = FETCH(x, 0, p), v1 = FETCH(x, 1, p), v2 = FETCH(x, 2, p);
    float mean = SUM(v0 + v1 + v2) / 12.0;
    v0 -= mean, v1 -= mean, v2 -= mean;
    float var = SUM(v0 * v0 + v1 * v1 + v2 * v2) / 12.0;
    vec4 v = t == 0 ? v0 : t == 1 ? v1 : v2;
    color = v * inversesqrt(var + EPS) * gamma[t] + beta[t];
}
