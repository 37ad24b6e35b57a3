#version 330 core
#include "common.glsl"
// x * cos + rotate_half(x) * sin, where rotate_half([a | b]) = [-b | a] within a head.

#define HEAD_DIM 6
#define HALF (HEAD_DIM / 2)

uniform sampler2D tX;
uniform sampler2D tCos;   // one row a position, HEAD_DIM numbers, a float a texel
uniform sampler2D tSin;

out vec4 fragColor;

float rope(int t, int c) {
    int d = c % HEAD_DIM;
    float x = fetch1(tX, t, c);
    float r = d < HALF ? -fetch1(tX, t, c + HALF) : fetch1(tX, t, c - HALF);
    float cs = texelFetch(tCos, ivec2(d, t), 0).r;
    float sn = texelFetch(tSin, ivec2(d, t), 0).r;
    return x * cs + r * sn;
}

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    int c = 4 * pos.x;
    fragColor = vec4(rope(pos.y, c), rope(pos.y, c + 1), rope(pos.y, c + 2), rope(pos.y, c + 3));
}
