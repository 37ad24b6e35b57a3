#version 450

layout (constant_id = 0) const int kernel_w = 1;
layout (constant_id = 1) const int kernel_h = 1;
layout (constant_id = 2) const int dilation_w = 1;
layout (constant_id = 3) const int dilation_h = 1;
layout (constant_id = 4) const int pad_left = 0;
layout (constant_id = 5) const int pad_top = 0;

layout (local_size_x = 4, local_size_y = 4) in;

layout (binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };
layout (binding = 2) readonly buffer weight_blob { vec4 weight_data[]; };
layout (binding = 3) readonly buffer bias_blob { vec4 bias_data[]; };

layout (push_constant) uniform parameter
{
    int w;
    int h;
    int cstep;

    int outw;
    int outh;
    int outc;
    int outcstep;
} p;

void main()
{
    ivec3 g = ivec3(gl_GlobalInvocationID);

    if (g.x >= p.outw || g.y >= p.outh || g.z >= p.outc)
        return;

    const int maxk = kernel_w * kernel_h;

    vec4 sum = bias_data[g.z];

    for (int k = 0; k < maxk; k++)
    {
        int sx = g.x - pad_left + (k % kernel_w) * dilation_w;
        int sy = g.y - pad_top + (k / kernel_w) * dilation_h;

        if (sx >= 0 && sx < p.w && sy >= 0 && sy < p.h)
            sum += bottom_blob_data[g.z * p.cstep + sy * p.w + sx] * weight_data[g.z * maxk + k];
    }

    top_blob_data[g.z * p.outcstep + g.y * p.outw + g.x] = sum;
}
