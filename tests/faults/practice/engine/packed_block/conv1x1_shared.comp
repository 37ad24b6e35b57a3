// 1x1 convolution, four channels an element and four places an invocation; a work group shares the weights of a step.
#version 450

layout(local_size_x = 8, local_size_y = 2, local_size_z = 1) in;

layout(binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };
layout(binding = 2) readonly buffer weight_blob { vec4 weight_data[]; };
layout(binding = 3) readonly buffer bias_blob { vec4 bias_data[]; };

layout(push_constant) uniform parameter
{
    int size;
    int c;
    int cstep;
    int outc;
    int outcstep;
} p;

shared vec4 weights[2][4];

void main()
{
    int gx = int(gl_GlobalInvocationID.x) * 4;
    int gy = int(gl_GlobalInvocationID.y);
    int lx = int(gl_LocalInvocationID.x);
    int ly = int(gl_LocalInvocationID.y);
    int own = min(gy, p.outc - 1);

    vec4 sum0 = bias_data[own];
    vec4 sum1 = sum0;
    vec4 sum2 = sum0;
    vec4 sum3 = sum0;

    for (int z = 0; z < p.c; z++)
    {
        if (lx < 4)
            weights[ly][lx] = weight_data[(own * p.c + z) * 4 + lx];
        barrier();

        mat4 k = mat4(weights[ly][0], weights[ly][1], weights[ly][2], weights[ly][3]);
        int v_offset = z * p.cstep + gx;
        sum0 += bottom_blob_data[v_offset + 0] * k;
        sum1 += bottom_blob_data[v_offset + 1] * k;
        sum2 += bottom_blob_data[v_offset + 2] * k;
        sum3 += bottom_blob_data[v_offset + 3] * k;
        barrier();
    }

    if (gx >= p.size || gy >= p.outc)
        return;

    int at = gy * p.outcstep + gx;
    top_blob_data[at] = sum0;
    if (gx + 1 < p.size) top_blob_data[at + 1] = sum1;
    if (gx + 2 < p.size) top_blob_data[at + 2] = sum2;
    if (gx + 3 < p.size) top_blob_data[at + 3] = sum3;
}
