// A border of reflections.
#version 450

layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;

layout(constant_id = 0) const int left = 0;
layout(constant_id = 1) const int top = 0;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
    int outw;
    int outh;
    int outcstep;
} p;

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);

    if (gx >= p.outw || gy >= p.outh || gz >= p.c)
        return;

    int x = gx - left;
    int y = gy - top;

    x = abs(x);
    y = abs(y);
    x = (p.w - 1) - abs(x - (p.w - 1));
    y = (p.h - 1) - abs(y - (p.h - 1));

    top_blob_data[gz * p.outcstep + gy * p.outw + gx] = bottom_blob_data[gz * p.cstep + y * p.w + x];
}
