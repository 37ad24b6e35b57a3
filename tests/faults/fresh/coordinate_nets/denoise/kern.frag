#version 330 core
#include "common.glsl"

uniform sampler2D gMap;
uniform vec4 gW[24];          // [out / 4][in]
uniform vec4 gB[3];
uniform ivec2 gSize;
out float4 Out;

float4 logits(float4 a, float4 b, int quad) {
    int w = 8 * quad;
    return gB[quad] + gW[w] * a.x + gW[w + 1] * a.y + gW[w + 2] * a.z + gW[w + 3] * a.w
                    + gW[w + 4] * b.x + gW[w + 5] * b.y + gW[w + 6] * b.z + gW[w + 7] * b.w;
}

float hmax(float4 v) { return max(max(v.x, v.y), max(v.z, v.w)); }
float hsum(float4 v) { return dot(v, float4(1.0)); }

// nine shares that add up to one
void main() {
    int2 p = int2(gl_FragCoord.xy);
    int quad = p.y / gSize.y;
    p.y %= gSize.y;

    float4 a = load(gMap, p, 0, gSize);
    float4 b = load(gMap, p, 1, gSize);
    float4 l0 = logits(a, b, 0);
    float4 l1 = logits(a, b, 1);
    float l2 = logits(a, b, 2).x;

    float top = max(max(hmax(l0), hmax(l1)), l2);
    l0 = exp(l0 - top);
    l1 = exp(l1 - top);
    l2 = exp(l2 - top);
    float total = hsum(l0) + hsum(l1) + l2;
    Out = (quad == 0 ? l0 : quad == 1 ? l1 : float4(l2, 0.0, 0.0, 0.0)) / total;
}
