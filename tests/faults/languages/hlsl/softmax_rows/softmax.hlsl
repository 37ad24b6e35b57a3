// One group of threads a row.
static const uint GROUP = 32;

struct Shape { uint rows; uint columns; float scale; };
ConstantBuffer<Shape> shape : register(b0);

StructuredBuffer<float> Logits : register(t0);
RWStructuredBuffer<float> Weights : register(u0);

groupshared float shared_values[GROUP];

float Reduce(uint lane, float value, bool largest)
{
    shared_values[lane] = value;
    GroupMemoryBarrierWithGroupSync();
    for (uint half_size = GROUP / 2; half_size > 0; half_size >>= 1)
    {
        if (lane < half_size)
        {
            float other = shared_values[lane + half_size];
            shared_values[lane] = largest ? max(shared_values[lane], other) : shared_values[lane] + other;
        }
        GroupMemoryBarrierWithGroupSync();
    }
    float result = shared_values[0];
    GroupMemoryBarrierWithGroupSync();
    return result;
}

[numthreads(32, 1, 1)]
void SoftmaxRows(uint3 group : SV_GroupID, uint lane : SV_GroupIndex)
{
    uint start = group.x * shape.columns;
    float largest = -3.4e38;
    for (uint i = lane; i < shape.columns; i += GROUP)
        largest = max(largest, Logits[start + i] * shape.scale);
    largest = Reduce(lane, largest, true);
    float sum = 0;
    for (uint i = lane; i < shape.columns; i += GROUP)
        sum += exp(Logits[start + i] * shape.scale - largest);
    sum = Reduce(lane, sum, false);
    for (uint i = lane; i < shape.columns; i += GROUP)
        Weights[start + i] = exp(Logits[start + i] * shape.scale - largest) / sum;
}
