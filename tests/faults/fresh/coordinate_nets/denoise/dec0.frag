#version 330 core
#include "common.glsl"

uniform sampler2D gLow;         // 12 channels at half size
uniform sampler2D gSkip;        // 8 channels
uniform sampler2D gWeights;     // x: 20 * quad + i, y: 3 * ky + kx
uniform vec4 gBias[2];
uniform ivec2 gSize;
out float4 Out;

float4 channels(int2 p, int slice) {
    if (slice < 3) return load(gLow, p >> 1, slice, gSize / 2);
    return load(gSkip, p, slice - 3, gSize);
}

void main() {
    int2 p = int2(gl_FragCoord.xy);
    int quad = p.y >= gSize.y ? 1 : 0;
    p.y -= quad * gSize.y;

    float4 sum = gBias[quad];
    for (int tap = 0; tap < 9; tap++) {
        int2 at = p + int2(tap % 3, tap / 3) - 1;
        for (int slice = 0; slice < 5; slice++) {
            float4 v = channels(at, slice);
            int x = 20 * quad + 4 * slice;
            sum += v.x * texelFetch(gWeights, int2(x, tap), 0);
            sum += v.y * texelFetch(gWeights, int2(x + 1, tap), 0);
            sum += v.z * texelFetch(gWeights, int2(x + 2, tap), 0);
            sum += v.w * texelFetch(gWeights, int2(x + 3, tap), 0);
        }
    }
    Out = max(sum, 0.0);
}
