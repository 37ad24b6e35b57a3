#version 450

layout (local_size_x = 8) in;

layout (binding = 0) readonly buffer bottom_blob { vec4 bottom_blob_data[]; };
layout (binding = 1) writeonly buffer top_blob { vec4 top_blob_data[]; };
layout (binding = 2) readonly buffer weight_blob { vec4 weight_data[]; };
layout (binding = 3) readonly buffer bias_blob { vec4 bias_data[]; };

layout (push_constant) uniform parameter { int num_input; int num_output; } p;

void main()
{
    int gx = int(gl_GlobalInvocationID.x);
    if (gx >= p.num_output)
        return;

    vec4 sum = bias_data[gx];

    int w_offset = gx * p.num_input * 4;

    for (int i = 0; i < p.num_input; i++)
    {
        vec4 v = bottom_blob_data[i];

        sum.r += dot(v, weight_data[w_offset + 0]);
        sum.g += dot(v, weight_data[w_offset + 1]);
        sum.b += dot(v, weight_data[w_offset + 2]);
        sum.a += dot(v, weight_data[w_offset + 3]);

        w_offset += 4;
    }

    top_blob_data[gx] = 1.f / (1.f + exp(-sum));
}
