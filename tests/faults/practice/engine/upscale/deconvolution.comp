// Transposed convolution, gathered; weights lie by input, then output.
#version 450

layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

layout(constant_id = 0) const int kernel = 1;
layout(constant_id = 1) const int stride = 1;
layout(constant_id = 2) const int pad = 0;

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

    for (int y = 0; y < kernel; y++)
    {
        int sys = gy + pad - y;
        if (sys < 0 || sys % stride != 0)
            continue;
        int sy = sys / stride;
        if (sy >= p.h)
            continue;

        for (int x = 0; x < kernel; x++)
        {
            int sxs = gx + pad - x;
            if (sxs < 0 || sxs % stride != 0)
                continue;
            int sx = sxs / stride;
            if (sx >= p.w)
                continue;

            for (int z = 0; z < p.c; z++)
            {
                float v = bottom_blob_data[z * p.cstep + sy * p.w + sx];
                float k = weight_data[((z * p.outc + gz) * kernel + y) * kernel + x];
                sum += v * k;
            }
        }
    }

    top_blob_data[gz * p.outcstep + gy * p.outw + gx] = sum;
}
