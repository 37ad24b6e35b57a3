// The largest of each row, times a third, by a work group a row.
#version 450

layout(local_size_x = 16, local_size_y = 1, local_size_z = 1) in;

layout(constant_id = 0) const float coeff = 1.0;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
} p;

shared float largest[16];

void main()
{
    int row = int(gl_WorkGroupID.x);
    int lane = int(gl_LocalInvocationID.x);
    int base = row * p.w;

    float v = -3.4e38;
    for (int i = lane; i < p.w; i += 16)
    {
        v = max(v, bottom_blob_data[base + i] * coeff);
    }
    largest[lane] = v;
    barrier();

    for (int s = 8; s > 0; s >>= 1)
    {
        if (lane < s)
            largest[lane] = max(largest[lane], largest[lane + s]);
        barrier();
    }

    if (lane == 0)
        top_blob_data[row] = largest[0];
}
