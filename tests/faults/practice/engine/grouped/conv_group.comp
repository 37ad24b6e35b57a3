// Grouped convolution, a channel an element; the weights of a group follow one another.
#version 450

layout(local_size_x = 4, local_size_y = 4, local_size_z = 3) in;

layout(constant_id = 0) const int group = 1;
layout(constant_id = 1) const int stride = 1;
layout(constant_id = 2) const int pad_left = 0;
layout(constant_id = 3) const int pad_top = 0;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { float top_blob_data[]; };
layout(binding = 2) readonly buffer weight_blob { float weight_data[]; };
layout(binding = 3) readonly buffer bias_blob { float bias_data[]; };

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

    float sum = bias_data[gz];

    const int channels_g = p.c / group;
    const int num_output_g = p.outc / group;
    int gg = gz / num_output_g;

    int w_offset = gz * channels_g * 9;
    int v_offset_0 = gg * channels_g * p.cstep;

    for (int z = 0; z < channels_g; z++)
    {
        for (int y = 0; y < 3; y++)
        {
            int sy = gy * stride + y - pad_top;
            if (sy >= 0 && sy < p.h)
            {
                for (int x = 0; x < 3; x++)
                {
                    int sx = gx * stride + x - pad_left;
                    if (sx >= 0 && sx < p.w)
                    {
                        sum += bottom_blob_data[v_offset_0 + sy * p.w + sx] * weight_data[w_offset + y * 3 + x];
                    }
                }
            }
        }
        v_offset_0 += p.cstep;
        w_offset += 9;
    }

    top_blob_data[gz * p.outcstep + gy * p.outw + gx] = sum;
}
