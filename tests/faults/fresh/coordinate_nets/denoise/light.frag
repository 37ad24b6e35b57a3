#version 330 core
#include "common.glsl"

uniform sampler2D gNoisy;
uniform sampler2D gAlbedo;
out float4 Out;

// Radiance without texture, in a range that a network likes.
void main() {
    int2 p = int2(gl_FragCoord.xy);
    float3 radiance = texelFetch(gNoisy, p, 0).rgb;
    float3 albedo = texelFetch(gAlbedo, p, 0).rgb;
    float3 irradiance = radiance / (albedo + EPS);
    Out = float4(log(1.0 + irradiance), 0.0);
}
