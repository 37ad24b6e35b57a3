#version 330
#define float3 vec3
#define float4 vec4

uniform sampler2D sGuide;
uniform sampler2D sSlope;
uniform sampler2D sOffset;
out float4 color;

#define RADIUS 2

float3 Box(sampler2D s, ivec2 center) {
    ivec2 size = textureSize(s, 0);
    float3 sum = float3(0.0);
    int n = 0;
    for (int y = max(center.y - RADIUS, 0); y <= min(center.y + RADIUS, size.y - 1); y++) {
        for (int x = max(center.x - RADIUS, 0); x <= min(center.x + RADIUS, size.x - 1); x++) {
            sum += texelFetch(s, ivec2(x, y), 0).rgb;
            n++;
        }
    }
    return sum / float(n);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float g = texelFetch(sGuide, at, 0).r;
    color = float4(Box(sSlope, at) * g + Box(sOffset, at), 1.0);
}
