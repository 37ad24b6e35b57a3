#version 330 core
#include "common.glsl"

uniform sampler2D gMap;
uniform sampler2D gWeights;     // x: 8 * (3 * ky + kx) + i, y: quad
uniform vec4 gBias[3];
uniform ivec2 gSizeIn;
uniform ivec2 gSizeOut;
out float4 Out;

float4x4 weights(int x, int quad) {
    return float4x4(texelFetch(gWeights, int2(x, quad), 0), texelFetch(gWeights, int2(x + 1, quad), 0),
                    texelFetch(gWeights, int2(x + 2, quad), 0), texelFetch(gWeights, int2(x + 3, quad), 0));
}

void main() {
    int2 q = int2(gl_FragCoord.xy);
    int quad = q.y / gSizeOut.y;
    q.y = q.y % gSizeOut.y;

    float4 sum = gBias[quad];
    int x = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx, x += 8) {
            int2 p = 2 * q + int2(dx, dy);
            sum += mul(load(gMap, p, 0, gSizeIn), weights(x, quad));
            sum += mul(load(gMap, p, 1, gSizeIn), weights(x + 4, quad));
        }
    }
    Out = max(sum, 0.1 * sum);
}
