// Two maps behind each other.
#version 450

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

layout(binding = 0) readonly buffer first_blob { float first_data[]; };
layout(binding = 1) readonly buffer second_blob { float second_data[]; };
layout(binding = 2) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c0;
    int c1;
    int cstep0;
    int cstep1;
    int outcstep;
} p;

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);

    if (gx >= p.w || gy >= p.h || gz >= p.c0 + p.c1)
        return;

    int i = gy * p.w + gx;
    float v;
    if (gz < p.c0)
    {
        v = first_data[gz * p.cstep0 + i];
    }
    else
    {
        v = second_data[(gz - p.c0) * p.cstep1 + i];
    }
    top_blob_data[gz * p.outcstep + i] = v;
}
