// Two passes in one module.
StructuredBuffer<float> Input : register(t0);
StructuredBuffer<float> Weights : register(t1);
RWStructuredBuffer<float> Output : register(u0);

cbuffer Sizes : register(b0) { uint Rows; uint Columns; };

[shader("compute")]
[numthreads(8, 8, 1)]
void Scale(uint3 id : SV_DispatchThreadID)
{
    if (id.x >= Columns || id.y >= Rows) return;
    Output[id.y * Columns + id.x] = Input[id.y * Columns + id.x] * Weights[id.x];
}

[shader("compute")]
[numthreads(8, 8, 1)]
void Shift(uint3 id : SV_DispatchThreadID)
{
    if (id.x >= Columns || id.y >= Rows) return;
    Output[id.y * Columns + id.x] = Input[id.y * Columns + id.x] + Weights[id.y];
}
