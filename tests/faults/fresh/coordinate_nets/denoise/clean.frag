#version 330 core
#include "common.glsl"

uniform sampler2D gLight;
uniform sampler2D gKernel;
out float4 Out;

// Each pixel is blurred by its own 3x3 kernel; the frame's edge goes on for ever.
void main() {
    int2 p = int2(gl_FragCoord.xy);
    int2 size = textureSize(gLight, 0);
    float3 sum = float3(0.0);
    for (int k = 0; k < 9; k++) {
        int2 tap = clamp(p + int2(k % 3 - 1, k / 3 - 1), int2(0), size - 1);
        float share = load(gKernel, p, k / 4, size)[k % 4];
        sum += share * texelFetch(gLight, tap, 0).rgb;
    }
    Out = float4(sum, 1.0);
}
