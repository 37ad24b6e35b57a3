#version 300 es
#include "rows.glsl"
// mixed[i, h] = sum_j shares[h, i, j] v[j, h]
uniform sampler2D P;
uniform sampler2D QKV;

#define SHARE(e) FETCH(P, (e) / 4, 5)[(e) % 4]
#define V(token, head, v) FETCH(QKV, (token) * 18 + 2 * MODEL_VEC4 + (head) * HEAD_VEC4 + (v), 16)

void main() {
    int t = OUT_TEXEL(6), i = t / MODEL_VEC4, h = t % MODEL_VEC4 / HEAD_VEC4, v = t % HEAD_VEC4;
    vec4 acc = vec4(0.0);
    for (int j = 0; j < TOKENS; ++j) acc += SHARE((h * TOKENS + i) * TOKENS + j) * V(j, h, v);
    result = acc;
}
