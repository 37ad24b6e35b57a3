#version 330
#define float2 vec2
#define float3 vec3
#define float4 vec4
#define tex2D(s, uv) texture(s, uv)
#define lerp(a, b, t) mix(a, b, t)

uniform sampler2D sFrame;
uniform sampler2D sPrevious;
uniform sampler2D sMotion;
in vec2 texcoord;
out float4 color;

#define Persistence 0.85

void main() {
    float3 now = tex2D(sFrame, texcoord).rgb;
    float3 before = tex2D(sPrevious, texcoord).rgb;
    float keep = Persistence * tex2D(sMotion, texcoord).r;
    color = float4(lerp(now, before, keep), 1.0);
}
