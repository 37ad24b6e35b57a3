// Channels to pixels, a channel an element.
#version 450

layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

layout(constant_id = 0) const int upscale_factor = 1;

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
    int outc;
    int outcstep;
} p;

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);

    if (gx >= p.outw || gy >= p.outh || gz >= p.outc)
        return;

    int x = gx / upscale_factor;
    int y = gy / upscale_factor;
    int z = (gz * upscale_factor + gy % upscale_factor) * upscale_factor + gx % upscale_factor;

    top_blob_data[gz * p.outcstep + gy * p.outw + gx] = bottom_blob_data[z * p.cstep + y * p.w + x];
}
