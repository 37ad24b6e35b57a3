#version 300 es
// Products of two matrices over the root of their inner side, as attention has them.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D query;
uniform sampler2D key;

const int inner = 8;
const float share = 0.353553391;   // 1 / sqrt(8)

out float score;

float getQuery(int row, int k) {
    return texelFetch(query, ivec2(k, row), 0).r;
}

float getKey(int k, int column) {
    return texelFetch(key, ivec2(column, k), 0).r;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.yx);
    float a = 0.0;
    float b = 0.0;
    for (int k = 0; k < inner; k += 2) {
        a += getQuery(at.x, k) * getKey(k, at.y);
        b += getQuery(at.x, k + 1) * getKey(k + 1, at.y);
    }
    score = (a + b) * share;
}
