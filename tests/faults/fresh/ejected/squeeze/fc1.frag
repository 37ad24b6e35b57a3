#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "flat.glsl"
#define LEAKY(v, a) ((v) < 0.0 ? (a) * (v) : (v))

uniform sampler2D X, K, B;
out vec4 Y;

void main() {
    vec4 acc = TEXEL(B, 0);
    for (int i = 0; i < 10; i++) {
        float x = AT(X, i);
        acc += x * vec4(AT(K, i), AT(K, 10 + i), AT(K, 20 + i), AT(K, 30 + i));
    }
    EACH_LANE Y[l] = LEAKY(acc[l], 0.15);
}
