// Two layers of a small network for pictures, four channels a texel.
#include "Common.hlsli"

Texture2D Previous : register(t0);
SamplerState Point : register(s0);

cbuffer Layer : register(b0)
{
    float2 PixelSize;
    bool Clamped;
};

struct Interpolated
{
    float4 position : SV_POSITION;
    float2 uv : TEXCOORD0;
};

// Row i of a matrix has the weights from channel i to all four.
static const float4x4 Weights1[9] = {
    float4x4(-0.13862, -0.06209, -0.20327, 0.16478,
             -0.10324, 0.15172, 0.08108, 0.43974,
             0.42671, -0.21921, 0.2459, 0.18859,
             -0.20972, -0.07342, 0.40851, -0.02769),
    float4x4(0.2859, -0.00845, 0.2181, 0.18802,
             -0.43153, -0.24759, 0.04328, 0.13516,
             -0.15329, 0.22679, 0.31824, -0.19128,
             -0.82089, 0.50444, 0.52961, -0.02664),
    float4x4(0.07217, 0.03141, 0.37758, 0.30614,
             0.0928, -0.18992, -0.54143, 0.01487,
             0.07269, -0.02669, -0.05864, -0.16991,
             0.32113, -0.18648, -0.17578, -0.08849),
    float4x4(0.00468, 0.38724, -0.38472, 0.16894,
             0.25861, 0.11497, 0.1931, 0.01642,
             0.02267, 0.0282, 0.11394, -0.51548,
             0.12507, 0.05092, -0.15333, -0.19227),
    float4x4(-0.49475, -0.36236, 0.20621, -0.0833,
             0.41054, -0.27337, -0.18717, 0.1827,
             -0.14346, -0.05563, 0.19231, -0.19834,
             0.01137, -0.12315, 0.77798, 0.15914),
    float4x4(-0.46481, 0.06549, 0.04452, -0.39858,
             0.01228, 0.00401, 0.04393, 0.23031,
             -0.62436, 0.19138, -0.35991, 0.40174,
             -0.06762, -0.15719, 0.02815, 0.38463),
    float4x4(0.18272, -0.15614, 0.05833, 0.11159,
             -0.05105, -0.02122, 0.02441, -0.3292,
             -0.0915, -0.30555, 0.51039, -0.01738,
             -0.15932, -0.28144, -0.49601, -0.14199),
    float4x4(0.08539, -0.28487, 0.61262, -0.27901,
             -0.274, 0.19796, 0.24009, 0.04637,
             0.15186, 0.06252, -0.17872, -0.21375,
             -0.0197, -0.13752, -0.15307, -0.13532),
    float4x4(-0.07401, -0.59204, 0.29858, -0.01406,
             0.30581, 0.25016, 0.50763, 0.42891,
             -0.36083, 0.29144, -0.31939, -0.14403,
             -0.07758, -0.01556, 0.50053, 0.29734)
};
static const float4 Bias1 = float4(-1.46374, -0.59139, -0.3781, 0.16778);
// One texel of the layer before.
half4 Tap(Interpolated pixel, int2 offset)
{
    half4 v = (half4)Previous.SampleLevel(Point, pixel.uv + offset * PixelSize, 0);
    return v;
}

float4 Layer1(Interpolated pixel) : SV_TARGET
{
    float4 sum = Bias1;
    [unroll]
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
        {
            float4 v = Tap(pixel, int2(x, y));
            sum += mul(v, Weights1[(y + 1) * 3 + x + 1]);
        }
    return Clamped ? Relu(sum) : sum;
}

float4 Layer2(Interpolated pixel) : SV_TARGET
{
    float4 v = Tap(pixel, int2(0, 0));
    return Sigmoid(v);
}
