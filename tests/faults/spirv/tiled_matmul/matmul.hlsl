// C = max(A B + bias, 0), tile by tile.
#define TILE 8

cbuffer Sizes : register(b0)
{
    uint Rows;
    uint Columns;
    uint Inner;
};

StructuredBuffer<float> A : register(t0);
StructuredBuffer<float> B : register(t1);
StructuredBuffer<float> Bias : register(t2);
RWStructuredBuffer<float> C : register(u0);

groupshared float TileA[TILE][TILE];
groupshared float TileB[TILE][TILE];

[numthreads(TILE, TILE, 1)]
void main(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID)
{
    uint row = group.y * TILE + thread.y;
    uint column = group.x * TILE + thread.x;
    float sum = 0.0f;
    uint tiles = (Inner + TILE - 1) / TILE;
    for (uint t = 0; t < tiles; t++)
    {
        uint k = t * TILE;
        TileA[thread.y][thread.x] = (row < Rows && k + thread.x < Inner) ? A[row * Inner + k + thread.x] : 0.0f;
        TileB[thread.y][thread.x] = (k + thread.y < Inner && column < Columns) ? B[(k + thread.y) * Columns + column] : 0.0f;
        GroupMemoryBarrierWithGroupSync();
        [unroll]
        for (uint i = 0; i < TILE; i++)
            sum += TileA[thread.y][i] * TileB[i][thread.x];
        GroupMemoryBarrierWithGroupSync();
    }
    if (row < Rows && column < Columns)
        C[row * Columns + column] = max(sum + Bias[column], 0.0f);
}
