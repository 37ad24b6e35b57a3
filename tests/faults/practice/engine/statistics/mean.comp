// Mean of each channel, four channels an element; a work group a group of channels.
#version 450

layout(local_size_x = 8, local_size_y = 1, local_size_z = 1) in;

layout(binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout(binding = 1) writeonly buffer mean_blob { vec4 mean_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
} p;

shared vec4 sums[8];

void main()
{
    int q = int(gl_WorkGroupID.x);
    int lane = int(gl_LocalInvocationID.x);
    int size = p.w * p.h;

    vec4 sum = vec4(0.0);
    for (int i = lane; i < size; i += 8)
    {
        sum += bottom_blob_data[q * p.cstep + i];
    }
    sums[lane] = sum;
    barrier();

    if (lane < 4) sums[lane] += sums[lane + 4];
    barrier();
    if (lane < 2) sums[lane] += sums[lane + 2];
    barrier();

    if (lane == 0)
    {
        mean_data[q] = (sums[0] + sums[1]) / float(size);
    }
}
