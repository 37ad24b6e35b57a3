// Mean of the squares around the mean, four channels an element.
#version 450

layout(local_size_x = 8, local_size_y = 1, local_size_z = 1) in;

layout(binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout(binding = 1) readonly buffer mean_blob { vec4 mean_data[]; };
layout(binding = 2) writeonly buffer var_blob { vec4 var_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
} p;

shared vec4 squares[8];

void main()
{
    int q = int(gl_WorkGroupID.x);
    int lane = int(gl_LocalInvocationID.x);
    int size = p.w * p.h;
    vec4 mean = mean_data[q];

    vec4 sum = vec4(0.0);
    for (int i = lane; i < size; i += 8)
    {
        vec4 v = bottom_blob_data[q * p.cstep + i] - mean;
        sum += v * v;
    }
    squares[lane] = sum;
    barrier();

    if (lane == 0)
    {
        vec4 total = squares[0];
        for (int i = 1; i < 8; i++)
        {
            total += squares[i];
        }
        var_data[q] = total / float(size);
    }
}
