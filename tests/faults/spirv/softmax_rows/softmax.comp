#version 450

layout(local_size_x = 32) in;

layout(binding = 0) uniform Parameters {
    uint rows;
    uint columns;
    float scale;
} p;
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer D { float d[]; };

shared float partial[32];

float reduced_sum(float value)
{
    uint tid = gl_LocalInvocationID.x;
    barrier();
    partial[tid] = value;
    barrier();
    for (uint s = 16; s > 0; s >>= 1)
    {
        if (tid < s)
            partial[tid] += partial[tid + s];
        barrier();
    }
    return partial[0];
}

void main()
{
    uint tid = gl_LocalInvocationID.x;
    uint row = gl_WorkGroupID.x;
    if (row >= p.rows)
        return;

    float largest = uintBitsToFloat(0xFF800000);
    for (uint column = tid; column < p.columns; column += 32)
        largest = max(largest, x[row * p.columns + column] * p.scale);
    partial[tid] = largest;
    barrier();
    for (uint s = 16; s > 0; s >>= 1)
    {
        if (tid < s)
            partial[tid] = max(partial[tid], partial[tid + s]);
        barrier();
    }
    largest = partial[0];

    float sum = 0.0;
    for (uint column = tid; column < p.columns; column += 32)
        sum += exp(x[row * p.columns + column] * p.scale - largest);
    sum = reduced_sum(sum);

    for (uint column = tid; column < p.columns; column += 32)
        d[row * p.columns + column] = exp(x[row * p.columns + column] * p.scale - largest) / sum;
}
