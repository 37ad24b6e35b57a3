#version 300 es
#include "rows.glsl"
// Y = X W^T + b, W with a row an output.
uniform sampler2D X;
uniform sampler2D W;
uniform sampler2D B;

void main() {
    int t = OUT_TEXEL(16), token = t / OUT_VEC4, o = t % OUT_VEC4;
    vec4 acc = FETCH(B, o, OUT_VEC4);
    for (int i = 0; i < MODEL_VEC4; ++i) {
        vec4 x = FETCH(X, token * MODEL_VEC4 + i, 6);
        FOR4(k) acc[k] += dot(x, FETCH(W, (4 * o + k) * MODEL_VEC4 + i, 16));
    }
    result = acc;
}
