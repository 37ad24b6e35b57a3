#version 330
#include "packed.glsl"

uniform sampler2D uPre;
uniform sampler2D uWeight; // [out, in], a row an output
uniform sampler2D uBias;

out vec4 oQuery;

#define ROW(o, q) dot(x, TEXEL(uWeight, q, o))

void main() {
    int group = HERE.x;
    int first = 4 * group;
    vec4 sum = TEXEL(uBias, group, 0);
    for (int q = 0; q < HEADS; ++q) {
        vec4 x = TEXEL(uPre, q, HERE.y);
        sum += vec4(ROW(first, q), ROW(first + 1, q), ROW(first + 2, q), ROW(first + 3, q));
    }
    oQuery = sum;
}
