#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "flat.glsl"
#define HARD(v) clamp(SLOPE * (v) + MIDDLE, 0.0, 1.0)

uniform sampler2D X, K, B;
uniform int W_OUT;
uniform float SLOPE, MIDDLE;
out vec4 Y;

void main() {
    vec4 hidden = TEXEL(X, 0);
    EACH_LANE {
        int o = HERE * 4 + l;
        float v = dot(hidden, TEXEL(K, o)) + AT(B, o);
        Y[l] = o < 10 ? HARD(v) : 0.0;
    }
}
