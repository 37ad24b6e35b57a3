#version 310 es
precision mediump float;
precision highp int;

layout(binding = 0, std140) uniform type_Params
{
    highp uvec2 InputSize;
    layout(offset = 8) highp float Slope;
    layout(offset = 12) highp uint Channels;
    highp vec4 Weights[9];
    highp vec4 Bias;
} Params;

layout(binding = 1) uniform highp sampler2D SPIRV_Cross_CombinedInputTextureLinearClamp;

layout(location = 0) out highp vec4 out_var_SV_Target0;

void main()
{
    highp ivec2 _31 = ivec2(gl_FragCoord.xy);
    highp vec4 _42;
    _42 = Params.Bias;
    for (highp int _44 = 0; _44 < 9; )
    {
        highp ivec2 _57 = _31 + ivec2((_44 % 3) - 1, (_44 / 3) - 1);
        bool _63 = all(greaterThanEqual(_57, ivec2(0)));
        bool _69 = all(lessThan(_57, ivec2(Params.InputSize)));
        if (_63 && _69)
        {
            _42 += (Params.Weights[_44] * texelFetch(SPIRV_Cross_CombinedInputTextureLinearClamp, _57, 0));
        }
        _44++;
        continue;
    }
    out_var_SV_Target0 = mix(_42 * Params.Slope, _42, greaterThan(_42, vec4(0.0)));
}
