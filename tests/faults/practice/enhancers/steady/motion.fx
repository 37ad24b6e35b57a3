#version 330
#define float2 vec2
#define float3 vec3
#define float4 vec4
#define tex2Dlod(s, uv) textureLod(s, uv, 0.0)

uniform sampler2D sFrame;
uniform sampler2D sPrevious;
in vec2 texcoord;
out float4 color;

const float Sensitivity = 4.5;

float Change(float2 uv) {
    float3 d = abs(tex2Dlod(sFrame, uv).rgb - tex2Dlod(sPrevious, uv).rgb);
    return (d.r + d.g + d.b) / 3.0;
}

void main() {
    float2 px = 1.0 / float2(textureSize(sFrame, 0));
    float most = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            most = max(most, Change(texcoord + px * float2(x, y)));
        }
    }
    color = float4(exp(-Sensitivity * most));
}
