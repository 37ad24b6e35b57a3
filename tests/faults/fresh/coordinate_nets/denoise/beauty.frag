#version 330 core
#include "common.glsl"

uniform sampler2D gClean;
uniform sampler2D gAlbedo;
out float4 Out;

void main() {
    int2 p = int2(gl_FragCoord.xy);
    float3 irradiance = exp(texelFetch(gClean, p, 0).rgb) - 1.0;
    float3 albedo = texelFetch(gAlbedo, p, 0).rgb + EPS;
    Out.rgb = irradiance * albedo;
    Out.a = 1.0;
}
