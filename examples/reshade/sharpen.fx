// The detail that a blur takes away is added again: a small ReShade effect to begin with.
#include "ReShade.fxh"

uniform float strength <
    ui_type = "slider";
    ui_label = "How much detail is added";
    ui_min = 0.0; ui_max = 2.0;
> = 0.75;

texture texBlurred { Width = BUFFER_WIDTH; Height = BUFFER_HEIGHT; Format = RGBA16F; };
sampler sBlurred { Texture = texBlurred; };

float4 BlurPS(float4 pos : SV_Position, float2 uv : TexCoord) : SV_Target {
    float4 result = 0;
    [unroll]
    for (int y = -1; y <= 1; y++) {
        [unroll]
        for (int x = -1; x <= 1; x++) {
            float weight = (x == 0 ? 0.5 : 0.25) * (y == 0 ? 0.5 : 0.25);
            result += weight * tex2D(ReShade::BackBuffer, uv + float2(x, y) * ReShade::PixelSize);
        }
    }
    return result;
}

float4 SharpenPS(float4 pos : SV_Position, float2 uv : TexCoord) : SV_Target {
    float3 color = tex2D(ReShade::BackBuffer, uv).rgb;
    return float4(color + strength * (color - tex2D(sBlurred, uv).rgb), 1.0);
}

technique Sharpen {
    pass Blur { VertexShader = PostProcessVS; PixelShader = BlurPS; RenderTarget = texBlurred; }
    pass Sharpen { VertexShader = PostProcessVS; PixelShader = SharpenPS; }
}
