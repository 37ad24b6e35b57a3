#version 330
#define float2 vec2
#define float3 vec3
#define float4 vec4
#define tex2D(s, uv) texture(s, uv)

uniform sampler2D sSmooth;
in vec2 texcoord;
out float4 color;

void main() {
    float3 rgb = tex2D(sSmooth, texcoord).rgb;
    color = vec4(0.3142, -0.0004, 0.0698, -0.0957);
    color.x += dot(rgb, float3(-1.2520, 0.8483, 1.2651));
    color.y += dot(rgb, float3(0.8090, 1.5928, 0.0036));
    color.z += dot(rgb, float3(-1.5653, -0.0631, 0.5309));
    color.w += dot(rgb, float3(0.4567, -0.6609, -2.2658));
}
