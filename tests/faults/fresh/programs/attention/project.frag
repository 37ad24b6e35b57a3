#version 300 es
#include "rows.glsl"
// Y = X + silu(M W^T + b): what the heads say, gated by itself, on top of what came in.
uniform sampler2D X;
uniform sampler2D M;
uniform sampler2D W;
uniform sampler2D B;

#define SILU(z) ((z) / (1.0 + exp(-(z))))

void main() {
    int t = OUT_TEXEL(6), token = t / MODEL_VEC4, o = t % MODEL_VEC4;
    vec4 acc = FETCH(B, o, 6);
    for (int i = 0; i < MODEL_VEC4; ++i) {
        vec4 m = FETCH(M, token * MODEL_VEC4 + i, 6);
        acc += vec4(dot(m, FETCH(W, (4 * o + 0) * MODEL_VEC4 + i, 6)),
                    dot(m, FETCH(W, (4 * o + 1) * MODEL_VEC4 + i, 6)),
                    dot(m, FETCH(W, (4 * o + 2) * MODEL_VEC4 + i, 6)),
                    dot(m, FETCH(W, (4 * o + 3) * MODEL_VEC4 + i, 6)));
    }
    result = FETCH(X, t, 6) + SILU(acc);
}
