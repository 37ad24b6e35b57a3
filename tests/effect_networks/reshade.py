"""A network as a ReShade effect: luma at half the size, two convolutions with render targets, and their picture."""

from __future__ import annotations

from tests.effect_networks.weights import listed, weights


def half_size() -> str:
    """Features at half the size by two pixel shaders, mixed by a compute shader, then added to the picture."""
    first, second = weights(7, 8, 1, 3, 3), weights(8, 4, 8, 3, 3)
    rows = ",\n".join(
        f"    float4({listed(first[4 * half : 4 * half + 4, 0, y, x])})"
        for half in (0, 1)
        for y in range(3)
        for x in range(3)
    )
    sums = "\n".join(
        f"    sum += mul(float4x4({listed(part[:, :, y, x])}), "
        f"tex2Dfetch(sFeature{half}, at(id.xy, int2({x - 1}, {y - 1}))));"
        for half, part in enumerate((second[:, :4], second[:, 4:]))
        for y in range(3)
        for x in range(3)
    )
    return f"""// HalfSize
#include "ReShade.fxh"

#define FEATURES(name) texture name {{ Width = BUFFER_WIDTH / 2; Height = BUFFER_HEIGHT / 2; Format = RGBA16F; }};

uniform float strength <
    ui_type = "slider"; ui_min = 0.0; ui_max = 2.0;
    ui_label = "How much is added";
> = 0.5;

uniform float3 lumaWeights < ui_type = "color"; > = float3(0.299, 0.587, 0.114);

namespace HalfSize {{

texture texGrey {{ Width = BUFFER_WIDTH / 2; Height = BUFFER_HEIGHT / 2; Format = R16F; }};
FEATURES(texFeature0)
FEATURES(texFeature1)
FEATURES(texMixed)

sampler sGrey {{ Texture = texGrey; MagFilter = POINT; MinFilter = POINT; }};
sampler sFeature0 {{ Texture = texFeature0; }};
sampler2D sFeature1 {{ Texture = texFeature1; }};
sampler sMixed {{ Texture = texMixed; AddressU = CLAMP; }};
storage mixed {{ Texture = texMixed; }};

static const float4 kernel[18] = {{
{rows}
}};

float luma(sampler s, float2 place) {{
    return dot(tex2Dlod(s, float4(place, 0, 0)).rgb, lumaWeights);
}}

float GreyPS(float4 pos : SV_Position, float2 uv : TexCoord) : SV_Target {{
    return luma(ReShade::BackBuffer, uv);
}}

void FeaturesPS(in float4 pos : SV_Position, in float2 uv : TEXCOORD,
                out float4 first : SV_Target0, out float4 second : SV_Target1) {{
    float2 texel = 2.0 * BUFFER_PIXEL_SIZE;
    first = float4(0.01, 0.0, -0.02, 0.05);
    second = 0.02;
    [unroll]
    for (int y = 0; y < 3; y++) {{
        [unroll]
        for (int x = 0; x < 3; x++) {{
            float grey = tex2D(sGrey, uv + float2(x - 1, y - 1) * texel).x;
            first += grey * kernel[y * 3 + x];
            second += grey * kernel[9 + y * 3 + x];
        }}
    }}
    first = max(first, 0.0);
    second = max(second, 0.1 * second);
}}

int2 at(int2 place, int2 offset) {{
    return clamp(place + offset, 0, int2(BUFFER_WIDTH / 2, BUFFER_HEIGHT / 2) - 1);
}}

void MixCS(uint3 id : SV_DispatchThreadID) {{
    if (any(id.xy >= uint2(BUFFER_WIDTH / 2, BUFFER_HEIGHT / 2))) return;
    float4 sum = float4(0.1, -0.1, 0.0, 0.02);
{sums}
    tex2Dstore(mixed, id.xy, sum);
}}

float4 AddPS(float4 pos : SV_Position, float2 uv : TexCoord) : SV_Target {{
    float4 detail = tex2D(sMixed, uv);
    float3 color = tex2D(ReShade::BackBuffer, uv).rgb;
    return float4(color + strength * (detail.rgb - detail.a), 1.0);
}}

}}

technique HalfSize < ui_tooltip = "a network"; > {{
    pass Grey {{ VertexShader = PostProcessVS; PixelShader = HalfSize::GreyPS; RenderTarget = HalfSize::texGrey; }}
    pass Features {{
        VertexShader = PostProcessVS;
        PixelShader = HalfSize::FeaturesPS;
        RenderTarget0 = HalfSize::texFeature0;
        RenderTarget1 = HalfSize::texFeature1;
    }}
    pass Mix {{
        ComputeShader = HalfSize::MixCS<8, 8>;
        DispatchSizeX = (BUFFER_WIDTH / 2 + 7) / 8;
        DispatchSizeY = (BUFFER_HEIGHT / 2 + 7) / 8;
    }}
    pass Add {{ VertexShader = PostProcessVS; PixelShader = HalfSize::AddPS; }}
}}
"""
