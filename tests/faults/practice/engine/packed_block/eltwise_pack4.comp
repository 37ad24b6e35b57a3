// Sum of two blobs, channels by four; the blobs' channels begin at steps of their own.
#version 450

layout(local_size_x = 16, local_size_y = 1, local_size_z = 1) in;

layout(binding = 0) readonly buffer a_blob { vec4 a_blob_data[]; };
layout(binding = 1) readonly buffer b_blob { vec4 b_blob_data[]; };
layout(binding = 2) writeonly buffer top_blob { vec4 top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int size;
    int c;
    int a_cstep;
    int b_cstep;
    int outcstep;
} p;

void main()
{
    int i = int(gl_GlobalInvocationID.x);
    int q = int(gl_GlobalInvocationID.y);

    if (i >= p.size || q >= p.c)
        return;

    vec4 a = a_blob_data[q * p.a_cstep + i];
    vec4 b = b_blob_data[q * p.b_cstep + i];
    top_blob_data[q * p.outcstep + i] = a + b;
}
