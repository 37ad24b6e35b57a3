#version 330
// softmax(scores) times values: one head of one token in each texel
#include "packed.glsl"

#define GRID 2
#define QUERIES 7
#define KEYS 11
#define SCORE(h, q, k) TEXEL(uScore, (h) % GRID * KEYS + (k), (h) / GRID * QUERIES + (q)).r

uniform sampler2D uScore;
uniform sampler2D uValue;

out vec4 oContext;

void main() {
    int head = HERE.x;
    int query = HERE.y;

    float top = -1e30;
    for (int k = 0; k < KEYS; ++k) {
        top = max(top, SCORE(head, query, k));
    }

    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int k = 0; k < KEYS; ++k) {
        float e = exp(SCORE(head, query, k) - top);
        sum += e * TEXEL(uValue, head, k);
        total += e;
    }
    oContext = sum / total;
}
