#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "flat.glsl"
#define H 11
#define W 9
#define OH 6
#define OW 9
#define SILU(v) ((v) / (1.0 + exp(-(v))))

uniform sampler2D X, K, B;
uniform int W_OUT;
out vec4 Y;

float conv(int o, int y, int x) {
    float acc = 0.0;
    for (int i = 0; i < 5; i++)
    for (int p = 0; p < 3; p++)
    for (int q = 0; q < 3; q++) {
        int yy = y * 2 - 1 + p, xx = x - 1 + q;
        if (yy < 0 || yy >= H || xx < 0 || xx >= W) continue;
        acc += AT(X, (i * H + yy) * W + xx) * AT(K, ((o * 5 + i) * 3 + p) * 3 + q);
    }
    return acc + AT(B, o);
}

void main() {
    EACH_LANE {
        int e = HERE * 4 + l;
        int o = e / (OH * OW), r = e % (OH * OW);
        float v = conv(o, r / OW, r % OW);
        Y[l] = SILU(v);
    }
}
