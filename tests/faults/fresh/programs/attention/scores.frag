#version 300 es
#include "rows.glsl"
// scores[h, i, j] = q[i, h] . k[j, h] / sqrt(8). Rows of 7 run through the lanes.
uniform sampler2D QKV;
uniform float scale;

#define Q(token, head, v) FETCH(QKV, (token) * 18 + (head) * HEAD_VEC4 + (v), 16)
#define K(token, head, v) FETCH(QKV, (token) * 18 + MODEL_VEC4 + (head) * HEAD_VEC4 + (v), 16)

float score(int flat_) {
    int h = flat_ / (TOKENS * TOKENS), i = flat_ / TOKENS % TOKENS, j = flat_ % TOKENS;
    if (h >= HEADS) return 0.0;
    float s = 0.0;
    for (int v = 0; v < HEAD_VEC4; ++v) s += dot(Q(i, h, v), K(j, h, v));
    return s * scale;
}

void main() {
    int first = OUT_TEXEL(5) * 4;
    FOR4(k) result[k] = score(first + k);
}
