#version 450

layout (local_size_x = 8, local_size_y = 8) in;

layout (binding = 0) readonly buffer a_blob { vec4 a_blob_data[]; };
layout (binding = 1) readonly buffer b_blob { vec4 b_blob_data[]; };
layout (binding = 2) writeonly buffer top_blob { vec4 top_blob_data[]; };

layout (push_constant) uniform parameter { int w; int h; int c; int acstep; int outcstep; } p;

void main()
{
    ivec3 g = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(g, ivec3(p.w, p.h, p.c))))
        return;

    int i = g.y * p.w + g.x;
    top_blob_data[g.z * p.outcstep + i] = a_blob_data[g.z * p.acstep + i] * b_blob_data[g.z];
}
