#version 330
#include "packed.glsl"

#define HIDDEN 14
#define WIDTH 7

uniform sampler2D uHidden;
uniform sampler2D uWeight;
uniform sampler2D uBias;
uniform sampler2D uMixed;

out vec4 oOut;

void main() {
    vec4 sum = TEXEL(uBias, HERE.x, 0);
    for (int i = 0; i < HIDDEN; ++i) {
        float h = NUMBER(uHidden, WIDTH, HERE.y * HIDDEN + i);
        int e = HERE.x * 4 * HIDDEN + i;
        sum.x += h * NUMBER(uWeight, WIDTH, e);
        sum.y += h * NUMBER(uWeight, WIDTH, e + HIDDEN);
        sum.z += h * NUMBER(uWeight, WIDTH, e + 2 * HIDDEN);
        sum.w += h * NUMBER(uWeight, WIDTH, e + 3 * HIDDEN);
    }
    oOut = TEXEL(uMixed, HERE.x, HERE.y) + sum;
}
