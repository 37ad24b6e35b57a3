#version 330 core
// A gated linear unit: the first half of the channels times the sigmoid of the second.

uniform sampler2D u_x;
uniform int u_cols;
uniform int u_cols_out;
out vec4 result;

#include "tiles.glsl"

const int HALF = CHANNELS / 2;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = tileOf(texel, u_cols_out);
    ivec2 p = texel - texelOf(tile, u_cols_out, ivec2(0));
    int n = tile / HALF;
    int c = tile % HALF;
    if (n >= 2) {
        result = vec4(0.0);
        return;
    }

    float value = tap(u_x, u_cols, n * CHANNELS + c, p);
    float gate = tap(u_x, u_cols, n * CHANNELS + HALF + c, p);
    result = vec4(value / (1.0 + exp(-gate)), 0.0, 0.0, 1.0);
}
