// Writes each group of four channels as a square of 2 x 2 texels, and adds the enlarged picture.
Texture2D<float4> Residual : register(t0);
Texture2D<float> Picture : register(t1);
RWTexture2D<float> Result : register(u0);

[numthreads(8, 4, 1)]
void Upscale(uint3 tid : SV_DispatchThreadID)
{
    uint width, height;
    Result.GetDimensions(width, height);
    if (tid.x >= width || tid.y >= height)
        return;
    uint2 source = tid.xy / 2;
    uint2 inner = tid.xy % 2;
    float4 four = Residual[source];
    float picture = Picture.Load(int3(source, 0));
    float value = 0;
    switch (inner.y * 2 + inner.x)
    {
    case 0: value = four.x; break;
    case 1: value = four.y; break;
    case 2: value = four.z; break;
    default: value = four.w; break;
    }
    Result[tid.xy] = saturate(value + picture);
}
