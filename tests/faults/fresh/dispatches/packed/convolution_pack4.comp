#version 450

layout (constant_id = 0) const int kernel_w = 1;
layout (constant_id = 1) const int kernel_h = 1;
layout (constant_id = 2) const int stride_w = 1;
layout (constant_id = 3) const int stride_h = 1;
layout (constant_id = 4) const int pad_w = 0;
layout (constant_id = 5) const int pad_h = 0;
layout (constant_id = 6) const float slope = 0;

layout (local_size_x = 8, local_size_y = 4, local_size_z = 1) in;

layout (binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };
layout (binding = 2) readonly buffer weight_blob { vec4 weight_data[]; };
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

    vec4 sum = bias_data[gz];

    int w_offset = gz * p.c * kernel_w * kernel_h;

    for (int z = 0; z < p.c; z++)
    {
        for (int y = 0; y < kernel_h; y++)
        {
            int sy = gy * stride_h - pad_h + y;

            for (int x = 0; x < kernel_w; x++, w_offset++)
            {
                int sx = gx * stride_w - pad_w + x;
                if (sx < 0 || sy < 0 || sx >= p.w || sy >= p.h)
                    continue;

                vec4 v = bottom_blob_data[z * p.cstep + sy * p.w + sx];

                mat4 k = mat4(
                    weight_data[w_offset * 4 + 0],
                    weight_data[w_offset * 4 + 1],
                    weight_data[w_offset * 4 + 2],
                    weight_data[w_offset * 4 + 3]
                );

                sum += v * k;
            }
        }
    }

    sum = mix(sum, sum * slope, lessThan(sum, vec4(0.f)));

    top_blob_data[gz * p.outcstep + gy * p.outw + gx] = sum;
}
