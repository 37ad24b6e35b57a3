// A slope for each channel.
#version 450

layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;

layout(constant_id = 0) const int num_slope = 1;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { float top_blob_data[]; };
layout(binding = 2) readonly buffer slope_blob { float slope_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
} p;

void main()
{
    int i = int(gl_GlobalInvocationID.x);
    int size = p.w * p.h;

    if (i >= size * p.c)
        return;

    int q = i / size;
    int gi = q * p.cstep + i % size;

    float v = bottom_blob_data[gi];
    float slope = num_slope > 1 ? slope_data[q] : slope_data[0];
    top_blob_data[gi] = v < 0.0 ? v * slope : v;
}
