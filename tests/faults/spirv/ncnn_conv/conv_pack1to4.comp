#version 450

layout (constant_id = 0) const int kernel_w = 1;
layout (constant_id = 1) const int kernel_h = 1;
layout (constant_id = 2) const int bias_term = 0;
layout (constant_id = 3) const int activation_type = 0;

layout (local_size_x_id = 233) in;
layout (local_size_y_id = 234) in;
layout (local_size_z_id = 235) in;

layout (binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };
layout (binding = 2) readonly buffer weight_blob { float weight_data[]; };
layout (binding = 3) readonly buffer bias_blob { vec4 bias_data[]; };

layout (push_constant) uniform parameter
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

    vec4 sum;
    if (bias_term == 1)
        sum = bias_data[gz];
    else
        sum = vec4(0.f);

    int filter_size = p.c * kernel_h * kernel_w;
    int w_offset = gz * 4 * filter_size;

    for (int z = 0; z < p.c; z++)
    {
        int v_offset = z * p.cstep + gy * p.w + gx;

        for (int y = 0; y < kernel_h; y++)
        {
            for (int x = 0; x < kernel_w; x++)
            {
                float v = bottom_blob_data[v_offset + x];

                vec4 k = vec4(
                    weight_data[w_offset + x],
                    weight_data[w_offset + filter_size + x],
                    weight_data[w_offset + 2 * filter_size + x],
                    weight_data[w_offset + 3 * filter_size + x]
                );

                sum += v * k;
            }

            v_offset += p.w;
            w_offset += kernel_w;
        }
    }

    if (activation_type == 1)
        sum = max(sum, 0.f);

    top_blob_data[gz * p.outcstep + gy * p.outw + gx] = sum;
}
