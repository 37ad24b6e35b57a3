// Twice the size, with the detail that a blur takes away added again: a small Magpie effect to begin with.

//!MAGPIE EFFECT
//!VERSION 4
//!CAPABILITY FP16

//!PARAMETER
//!LABEL How much detail is added
//!DEFAULT 0.75
//!MIN 0
//!MAX 2
//!STEP 0.05
float strength;

//!TEXTURE
Texture2D INPUT;

//!TEXTURE
//!WIDTH INPUT_WIDTH * 2
//!HEIGHT INPUT_HEIGHT * 2
Texture2D OUTPUT;

//!TEXTURE
//!WIDTH INPUT_WIDTH
//!HEIGHT INPUT_HEIGHT
//!FORMAT R16G16B16A16_FLOAT
Texture2D blurred;

//!SAMPLER
//!FILTER POINT
SamplerState point_;

//!SAMPLER
//!FILTER LINEAR
SamplerState between;


//!PASS 1
//!DESC blur, binomial 3x3
//!IN INPUT
//!OUT blurred
//!BLOCK_SIZE 8
//!NUM_THREADS 64

void Pass1(uint2 blockStart, uint3 threadId) {
    uint2 gxy = blockStart + Rmp8x8(threadId.x);
    uint2 inputSize = GetInputSize();
    if (gxy.x >= inputSize.x || gxy.y >= inputSize.y) {
        return;
    }
    float2 inputPt = GetInputPt();
    float2 pos = (gxy + 0.5f) * inputPt;
    MF4 result = 0;
    [unroll]
    for (int y = -1; y <= 1; ++y) {
        [unroll]
        for (int x = -1; x <= 1; ++x) {
            MF weight = (x == 0 ? 0.5 : 0.25) * (y == 0 ? 0.5 : 0.25);
            result += weight * INPUT.SampleLevel(point_, pos + float2(x, y) * inputPt, 0);
        }
    }
    blurred[gxy] = result;
}


//!PASS 2
//!DESC twice the size, sharpened
//!STYLE PS
//!IN INPUT, blurred
//!OUT OUTPUT

MF4 Pass2(float2 pos) {
    MF3 color = INPUT.SampleLevel(between, pos, 0).rgb;
    return MF4(color + strength * (color - blurred.SampleLevel(between, pos, 0).rgb), 1);
}
