// Mean of what lies inside the picture.
#version 450

layout(local_size_x = 4, local_size_y = 4, local_size_z = 3) in;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;
} p;

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);

    if (gx >= p.w || gy >= p.h || gz >= p.c)
        return;

    int x0 = max(gx - 1, 0);
    int y0 = max(gy - 1, 0);
    int x1 = min(gx + 1, p.w - 1);
    int y1 = min(gy + 1, p.h - 1);

    float sum = 0.0;
    for (int y = y0; y <= y1; y++)
    {
        for (int x = x0; x <= x1; x++)
        {
            sum += bottom_blob_data[gz * p.cstep + y * p.w + x];
        }
    }

    int area = (x1 - x0 + 1) * (y1 - y0 + 1);
    top_blob_data[gz * p.cstep + gy * p.w + gx] = sum / float(area);
}
