#version 450
#extension GL_ARB_separate_shader_objects : enable
#extension GL_GOOGLE_include_directive : require

layout (constant_id = 0) const int TAPS = 1;
layout (constant_id = 1) const float SCALE = 1.0;

layout (set = 0, binding = 1) uniform sampler2D samplerColor;
layout (std140, set = 0, binding = 0) uniform UBO {
    vec4 bias;
    float weight[3];
} ubo;
layout (push_constant) uniform PushConsts {
    layout (offset = 16) vec2 direction;
    float strength;
} pushConsts;

layout (location = 0) in vec2 inUV;
layout (location = 0) out vec4 outFragColor;

void main()
{
    vec2 offset = pushConsts.direction / textureSize(samplerColor, 0);
    vec4 result = texture(samplerColor, inUV) * ubo.weight[0];
    for (int i = 1; i < TAPS; ++i)
    {
        result += texture(samplerColor, inUV + offset * float(i)) * ubo.weight[i] * pushConsts.strength;
        result += texture(samplerColor, inUV - offset * float(i)) * ubo.weight[i] * pushConsts.strength;
    }
    outFragColor = SCALE * result + ubo.bias;
}
