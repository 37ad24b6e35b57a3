#version 330
#define float3 vec3
#define float4 vec4

uniform sampler2D sSmooth;
uniform sampler2D sEmbed;
out float4 color;

const ivec2 Cross[5] = ivec2[5](ivec2(0, 0), ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));

ivec2 Inside(ivec2 at) {
    return clamp(at, ivec2(0), textureSize(sSmooth, 0) - 1);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float4 query = texelFetch(sEmbed, at, 0);
    float score[5];
    float top = -1e30;
    for (int k = 0; k < 5; k++) {
        score[k] = 0.5 * dot(query, texelFetch(sEmbed, Inside(at + Cross[k]), 0));
        top = max(top, score[k]);
    }
    float total = 0.0;
    float3 sum = float3(0.0);
    for (int k = 0; k < 5; k++) {
        float share = exp(score[k] - top);
        total += share;
        sum += share * texelFetch(sSmooth, Inside(at + Cross[k]), 0).rgb;
    }
    color = float4(sum / total, 1.0);
}
