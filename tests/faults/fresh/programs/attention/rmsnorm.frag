#version 300 es
#include "rows.glsl"
// x / sqrt(mean(x * x) + eps) * gain, a row a token.
uniform sampler2D X;
uniform sampler2D Gain;
uniform float eps;

void main() {
    int t = OUT_TEXEL(6), token = t / MODEL_VEC4, lane = t % MODEL_VEC4;
    float squares = 0.0;
    for (int i = 0; i < MODEL_VEC4; ++i) {
        vec4 v = FETCH(X, token * MODEL_VEC4 + i, 6);
        squares += dot(v, v);
    }
    float r = inversesqrt(squares / float(4 * MODEL_VEC4) + eps);
    result = FETCH(X, t, 6) * r * FETCH(Gain, lane, 6);
}
