// Sum of a row's values weighted by its shares, four rows a work group.
#version 450

layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

layout(binding = 0) readonly buffer powers_blob { float powers_data[]; };
layout(binding = 1) readonly buffer total_blob { float total_data[]; };
layout(binding = 2) readonly buffer value_blob { float value_data[]; };
layout(binding = 3) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int w;
    int h;
} p;

shared vec4 parts[4];

void main()
{
    int lx = int(gl_LocalInvocationID.x);
    int ly = int(gl_LocalInvocationID.y);
    int row = int(gl_WorkGroupID.x) * 4 + ly;
    int safe = min(row, p.h - 1);

    float reciprocal = 1.0 / total_data[safe];
    float sum = 0.0;
    for (int i = lx; i < p.w; i += 4)
    {
        int at = safe * p.w + i;
        sum += powers_data[at] * reciprocal * value_data[at];
    }
    parts[ly][lx] = sum;
    barrier();

    if (row < p.h && lx == 0)
    {
        top_blob_data[row] = dot(parts[ly], vec4(1.0));
    }
}
