// Bilinear, corners upon corners.
#version 450

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

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
    ivec3 g = ivec3(gl_GlobalInvocationID);

    if (g.x >= p.outw || g.y >= p.outh || g.z >= p.c)
        return;

    // what is left of the places' quotients is the share of the next place
    ivec2 whole = g.xy * ivec2(p.w - 1, p.h - 1);
    ivec2 steps = ivec2(p.outw - 1, p.outh - 1);
    ivec2 s = min(whole / steps, ivec2(p.w - 2, p.h - 2));
    vec2 f = vec2(whole - s * steps) / vec2(steps);

    int at = g.z * p.cstep + s.y * p.w + s.x;
    float a0 = bottom_blob_data[at];
    float a1 = bottom_blob_data[at + 1];
    float b0 = bottom_blob_data[at + p.w];
    float b1 = bottom_blob_data[at + p.w + 1];

    float a = a0 * (1.0 - f.x) + a1 * f.x;
    float b = b0 * (1.0 - f.x) + b1 * f.x;

    top_blob_data[g.z * p.outcstep + g.y * p.outw + g.x] = a * (1.0 - f.y) + b * f.y;
}
