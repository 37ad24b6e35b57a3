// Channels of all groups dealt out in turn.
#version 450

layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
    int group;
} p;

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);

    if (gx >= p.w || gy >= p.h || gz >= p.c)
        return;

    int channels_per_group = p.c / p.group;
    int i = gz / channels_per_group;
    int j = gz % channels_per_group;
    int outz = j * p.group + i;

    int at = gy * p.w + gx;
    top_blob_data[outz * p.cstep + at] = bottom_blob_data[gz * p.cstep + at];
}
