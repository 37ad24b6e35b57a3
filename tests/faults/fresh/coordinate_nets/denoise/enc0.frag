#version 330 core
#include "common.glsl"

uniform sampler2D gLight;
uniform sampler2D gNormal;
uniform sampler2D gDepth;
uniform sampler2D gWeights;     // x: 7 * kx + i, y: 5 * quad + ky
uniform vec4 gBias[2];
uniform ivec2 gSize;
out float4 Out;

#define K 5
#define IN 7

// seven features of a pixel, as the network was trained on them
void features(int2 p, out float f[IN]) {
    float3 light = load(gLight, p, 0, gSize).rgb;
    float3 normal = load(gNormal, p, 0, gSize).xyz;
    f[0] = light.r; f[1] = light.g; f[2] = light.b;
    f[3] = normal.x; f[4] = normal.y; f[5] = normal.z;
    f[6] = load(gDepth, p, 0, gSize).r;
}

void main() {
    int2 p = int2(gl_FragCoord.xy);
    int quad = p.y / gSize.y;
    p.y -= quad * gSize.y;

    float4 acc = gBias[quad];
    for (int ky = 0; ky < K; ky++) {
        for (int kx = 0; kx < K; kx++) {
            float f[IN];
            features(p + int2(kx, ky) - K / 2, f);
            for (int i = 0; i < IN; i++) {
                acc += f[i] * texelFetch(gWeights, int2(IN * kx + i, K * quad + ky), 0);
            }
        }
    }
    Out = max(acc, 0.0);
}
