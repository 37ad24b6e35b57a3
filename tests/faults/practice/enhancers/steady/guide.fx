#version 330
#define float2 vec2
#define float3 vec3
#define float4 vec4
#define tex2D(s, uv) texture(s, uv)

uniform sampler2D sFrame;
in vec2 texcoord;
out float4 color;

const float3 LumaCoeff = vec3(0.2126, 0.7152, 0.0722);

void main() {
    float3 rgb = tex2D(sFrame, texcoord).rgb;
    color = float4(dot(rgb, LumaCoeff));
}
