#version 450
#ifdef GL_ARB_shader_draw_parameters
#extension GL_ARB_shader_draw_parameters : enable
#endif

layout(binding = 0, std140) uniform type_Params
{
    layout(row_major) mat4 _m0;
    vec4 bias;
    uint count;
} Params;

uniform sampler2D SPIRV_Cross_Combinedg_textureg_sampler;

layout(location = 0) in vec2 in_var_TEXCOORD0;
layout(location = 0) out vec4 out_var_SV_Target0;

vec4 _31;

void main()
{
    vec4 _45;
    _45 = vec4(0.0);
    for (uint _50 = 0u; _50 < Params.count; _50++)
    {
        _45 += (Params._m0 * texture(SPIRV_Cross_Combinedg_textureg_sampler, in_var_TEXCOORD0));
        continue;
    }
    _31 = _45 + Params.bias;
    out_var_SV_Target0 = _31;
}
