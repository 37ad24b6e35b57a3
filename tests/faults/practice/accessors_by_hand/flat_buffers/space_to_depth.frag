#version 330
#include "flat.glsl"

uniform sampler2D u_src;
uniform int u_srcWidth;
uniform int u_dstWidth;
out vec4 result;

const Shape SRC = Shape(1, 6, 8, 10);
const Shape DST = Shape(1, 24, 4, 5);
const int BLOCK = 2;

float unshuffle(int i) {
    int n, c, y, x;
    unflatten(DST, i, n, c, y, x);
    // depth = (dy * BLOCK + dx) * channels + channel
    int channel = c % SRC.c;
    int dx = (c / SRC.c) % BLOCK;
    int dy = c / (SRC.c * BLOCK);
    return at(u_src, u_srcWidth, flatten(SRC, n, channel, y * BLOCK + dy, x * BLOCK + dx));
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int first = (p.y * u_dstWidth + p.x) * 4;
    for (int lane = 0; lane < 4; lane++) {
        int i = first + lane;
        result[lane] = i < 480 ? unshuffle(i) : 0.0;
    }
}
