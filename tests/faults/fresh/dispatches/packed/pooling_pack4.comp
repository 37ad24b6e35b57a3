#version 450

layout (constant_id = 0) const int kernel_w = 1;
layout (constant_id = 1) const int kernel_h = 1;
layout (constant_id = 2) const int stride_w = 1;
layout (constant_id = 3) const int stride_h = 1;
layout (constant_id = 4) const int pad_left = 0;
layout (constant_id = 5) const int pad_top = 0;

layout (local_size_x = 8, local_size_y = 8) in;

layout (binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };

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
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);

    if (gx >= p.outw || gy >= p.outh || gz >= p.outc)
        return;

    int sx = gx * stride_w - pad_left;
    int sy = gy * stride_h - pad_top;

    vec4 res = vec4(0.f);
    int area = 0;

    for (int y = 0; y < kernel_h; y++)
    {
        if (sy + y < 0)
            continue;
        if (sy + y >= p.h)
            break;

        for (int x = 0; x < kernel_w; x++)
        {
            if (sx + x < 0)
                continue;
            if (sx + x >= p.w)
                break;

            res += bottom_blob_data[gz * p.cstep + (sy + y) * p.w + sx + x];
            area += 1;
        }
    }

    res /= float(area);

    top_blob_data[gz * p.outcstep + gy * p.outw + gx] = res;
}
