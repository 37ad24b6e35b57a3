#version 450

layout (local_size_x_id = 233) in;
layout (local_size_y_id = 234) in;
layout (local_size_z_id = 235) in;

layout (binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { float top_blob_data[]; };
layout (binding = 2) readonly buffer weight_blob { vec4 weight_data[]; };
layout (binding = 3) readonly buffer bias_blob { float bias_data[]; };

layout (push_constant) uniform parameter
{
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

    for (int z = 0; z < p.c; z++)
    {
        vec4 v = bottom_blob_data[z * p.cstep + gy * p.outw + gx];
        vec4 k = weight_data[gz * p.c + z];

        sum += dot(v, k);
    }

    top_blob_data[gz * p.outcstep + gy * p.outw + gx] = sum;
}
