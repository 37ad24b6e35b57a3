// Powers of what is below the largest, and their sum, of a row a work group.
#version 450

layout(local_size_x = 8, local_size_y = 1, local_size_z = 1) in;

layout(constant_id = 0) const float coeff = 1.0;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) readonly buffer max_blob { float max_data[]; };
layout(binding = 2) writeonly buffer top_blob { float top_blob_data[]; };
layout(binding = 3) writeonly buffer sum_blob { float sum_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
} p;

shared float sums[8];

void main()
{
    int row = int(gl_WorkGroupID.x);
    int lane = int(gl_LocalInvocationID.x);

    float sum = 0.0;
    for (int i = lane; i < p.w; i += 8)
    {
        float v = exp(bottom_blob_data[row * p.w + i] * coeff - max_data[row]);
        top_blob_data[row * p.w + i] = v;
        sum += v;
    }
    sums[lane] = sum;
    barrier();

    if (lane == 0)
    {
        float total = 0.0;
        for (int i = 0; i < 8; i++)
        {
            total += sums[i];
        }
        sum_data[row] = total;
    }
}
