#version 330 core
#include "common.glsl"

#define QUADS 3

uniform sampler2D gMap;
uniform mat4 gKernel[81];   // [out][ky][kx][in]
uniform vec4 gBias[QUADS];
uniform ivec2 gSize;
out float4 Out;

void main() {
    int2 p = int2(gl_FragCoord.xy);
    int quad = p.y / gSize.y;
    p.y -= quad * gSize.y;

    float4 s = gBias[quad];
    for (int t = 0; t < 9; t++) {
        int2 tap = p + 2 * int2(t % 3 - 1, t / 3 - 1);
        int k = (quad * 9 + t) * QUADS;
        for (int i = 0; i < QUADS; i++) {
            s += mul(load(gMap, tap, i, gSize), gKernel[k + i]);
        }
    }
    float4 self = load(gMap, p, quad, gSize);
    Out = self + max(s, 0.0);
}
