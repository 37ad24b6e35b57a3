#version 300 es
#include "rows.glsl"
// Softmax of each row of scores, of what is not later than the row's token. Later ones get 0.
uniform sampler2D S;

#define ELEMENT(e) FETCH(S, (e) / 4, 5)[(e) % 4]

float share(int e) {
    int j = e % TOKENS, row = e - j, i = e / TOKENS % TOKENS;
    if (j > i) return 0.0;
    float top = ELEMENT(row);
    for (int m = 1; m <= i; ++m) top = max(top, ELEMENT(row + m));
    float total = 0.0;
    for (int m = 0; m <= i; ++m) total += exp(ELEMENT(row + m) - top);
    return exp(ELEMENT(e) - top) / total;
}

void main() {
    int first = OUT_TEXEL(5) * 4;
    FOR4(k) result[k] = first + k < HEADS * TOKENS * TOKENS ? share(first + k) : 0.0;
}
