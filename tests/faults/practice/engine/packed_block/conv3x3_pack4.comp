// Convolution, four channels an element: each invocation makes four outputs of one place.
#version 450

layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;

layout(constant_id = 0) const int kernel_w = 1;
layout(constant_id = 1) const int kernel_h = 1;
layout(constant_id = 2) const int pad = 0;

layout(binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout(binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };
layout(binding = 2) readonly buffer weight_blob { vec4 weight_data[]; };
layout(binding = 3) readonly buffer bias_blob { vec4 bias_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
    int c;
    int cstep;

    int outc;
    int outcstep;
} p;

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    int gy = int(gl_GlobalInvocationID.y);
    int gz = int(gl_GlobalInvocationID.z);

    if (gx >= p.w || gy >= p.h || gz >= p.outc)
        return;

    const int maxk = kernel_w * kernel_h;
    vec4 sum = bias_data[gz];

    for (int z = 0; z < p.c; z++)
    {
        int w_offset = (gz * p.c + z) * maxk * 4;
        for (int y = 0; y < kernel_h; y++)
        {
            int sy = gy + y - pad;
            for (int x = 0; x < kernel_w; x++)
            {
                int sx = gx + x - pad;
                bool inside = sx >= 0 && sy >= 0 && sx < p.w && sy < p.h;
                vec4 v = inside ? bottom_blob_data[z * p.cstep + sy * p.w + sx] : vec4(0.0);

                // columns are the weights of an output
                mat4 k = mat4(
                    weight_data[w_offset + 0],
                    weight_data[w_offset + 1],
                    weight_data[w_offset + 2],
                    weight_data[w_offset + 3]
                );
                sum += v * k;
                w_offset += 4;
            }
        }
    }

    sum = max(sum, 0.0);

    top_blob_data[gz * p.outcstep + gy * p.w + gx] = sum;
}
