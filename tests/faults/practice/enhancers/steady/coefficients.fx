#version 330
#define float3 vec3
#define float4 vec4

uniform sampler2D sGuide;
uniform sampler2D sBlended;
uniform float Softness;
layout(location = 0) out float4 slope;
layout(location = 1) out float4 offset;

#define RADIUS 2

void main() {
    ivec2 center = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(sGuide, 0);
    float I = 0.0, II = 0.0, n = 0.0;
    float3 p = float3(0.0), Ip = float3(0.0);
    for (int dy = -RADIUS; dy <= RADIUS; dy++) {
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            ivec2 at = center + ivec2(dx, dy);
            if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size))) continue;
            float g = texelFetch(sGuide, at, 0).r;
            float3 c = texelFetch(sBlended, at, 0).rgb;
            I += g;
            II += g * g;
            p += c;
            Ip += g * c;
            n += 1.0;
        }
    }
    I /= n;
    II /= n;
    p /= n;
    Ip /= n;
    float3 a = (Ip - I * p) / (II - I * I + Softness);
    slope = float4(a, 0.0);
    offset = float4(p - a * I, 0.0);
}
