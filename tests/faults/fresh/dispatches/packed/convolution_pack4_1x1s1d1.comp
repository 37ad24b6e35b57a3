#version 450

layout (constant_id = 0) const float activation_min = 0;
layout (constant_id = 1) const float activation_max = 0;

layout (local_size_x = 8) in;

layout (binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };
layout (binding = 2) readonly buffer weight_blob { vec4 weight_data[]; };
layout (binding = 3) readonly buffer bias_blob { vec4 bias_data[]; };

layout (push_constant) uniform parameter
{
    int size;
    int c;
    int cstep;

    int outc;
    int outcstep;
} p;

// four neighbours an invocation
void main()
{
    const int gx = int(gl_GlobalInvocationID.x) * 4;
    const int gy = int(gl_GlobalInvocationID.y);

    if (gx >= p.size || gy >= p.outc)
        return;

    vec4 sum0 = bias_data[gy];
    vec4 sum1 = sum0;
    vec4 sum2 = sum0;
    vec4 sum3 = sum0;

    int w_offset = gy * p.c * 4;
    int v_offset = gx;

    for (int z = 0; z < p.c; z++)
    {
        mat4 k = mat4(weight_data[w_offset + 0], weight_data[w_offset + 1], weight_data[w_offset + 2], weight_data[w_offset + 3]);

        sum0 += bottom_blob_data[v_offset + 0] * k;
        sum1 += bottom_blob_data[v_offset + 1] * k;
        sum2 += bottom_blob_data[v_offset + 2] * k;
        sum3 += bottom_blob_data[v_offset + 3] * k;

        w_offset += 4;
        v_offset += p.cstep;
    }

    sum0 = clamp(sum0, activation_min, activation_max);
    sum1 = clamp(sum1, activation_min, activation_max);
    sum2 = clamp(sum2, activation_min, activation_max);
    sum3 = clamp(sum3, activation_min, activation_max);

    const int gi = gy * p.outcstep + gx;

    top_blob_data[gi + 0] = sum0;
    if (gx + 1 < p.size) top_blob_data[gi + 1] = sum1;
    if (gx + 2 < p.size) top_blob_data[gi + 2] = sum2;
    if (gx + 3 < p.size) top_blob_data[gi + 3] = sum3;
}
