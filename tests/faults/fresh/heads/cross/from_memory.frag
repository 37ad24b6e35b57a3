#version 330
// Keys and values of the encoder's tokens, which are ten wide: a token begins in the middle of a texel.
#include "packed.glsl"

#define SOURCE 10
#define MEMORY_WIDTH 5
#define WEIGHT_WIDTH 6

uniform sampler2D uMemory;
uniform sampler2D uWeight;
uniform sampler2D uBias;

out vec4 oPart;

void main() {
    int token = HERE.y;
    vec4 sum = TEXEL(uBias, HERE.x, 0);
    for (int lane = 0; lane < 4; ++lane) {
        int o = HERE.x * 4 + lane;
        for (int i = 0; i < SOURCE; ++i) {
            sum[lane] += NUMBER(uMemory, MEMORY_WIDTH, token * SOURCE + i) * NUMBER(uWeight, WEIGHT_WIDTH, o * SOURCE + i);
        }
    }
    oPart = sum;
}
