#version 450

#define LOCAL 16

layout (local_size_x = LOCAL) in;

layout (binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };

layout (push_constant) uniform parameter { int size; int cstep; } p;

shared vec4 partial[LOCAL];

void main()
{
    int q = int(gl_WorkGroupID.x);
    int lx = int(gl_LocalInvocationID.x);

    vec4 acc = vec4(0.f);
    for (int i = lx; i < p.size; i += LOCAL)
        acc += bottom_blob_data[q * p.cstep + i];

    partial[lx] = acc;
    barrier();

    for (int s = LOCAL / 2; s > 0; s >>= 1)
    {
        if (lx < s)
            partial[lx] += partial[lx + s];
        barrier();
    }

    if (lx == 0)
        top_blob_data[q] = partial[0] / float(p.size);
}
