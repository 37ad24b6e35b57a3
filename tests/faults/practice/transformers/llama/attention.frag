#version 330 core
#include "common.glsl"
// Grouped-query attention in one pass: online softmax over the keys up to the query's own.

#define HEAD_DIM 6
#define GROUP 2     // query heads that share a head of keys and values

uniform sampler2D tQ;
uniform sampler2D tK;
uniform sampler2D tV;

out vec4 fragColor;

float attend(int t, int c) {
    int head = c / HEAD_DIM;
    int kv = head / GROUP;
    int d = c % HEAD_DIM;
    float scale = inversesqrt(float(HEAD_DIM));

    float m = -1e30, l = 0.0, acc = 0.0;
    for (int j = 0; j <= t; ++j) {
        float s = 0.0;
        for (int e = 0; e < HEAD_DIM; ++e) {
            s += fetch1(tQ, t, head * HEAD_DIM + e) * fetch1(tK, j, kv * HEAD_DIM + e);
        }
        s *= scale;
        float mNew = max(m, s);
        float corr = exp(m - mNew);
        float p = exp(s - mNew);
        l = l * corr + p;
        acc = acc * corr + p * fetch1(tV, j, kv * HEAD_DIM + d);
        m = mNew;
    }
    return acc / l;
}

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    for (int i = 0; i < 4; ++i) fragColor[i] = attend(pos.y, 4 * pos.x + i);
}
