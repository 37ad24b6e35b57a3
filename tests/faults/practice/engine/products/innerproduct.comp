// One output an invocation group: sixteen invocations share a sum and fold it in halves. The input is added at the end.
#version 450

layout(local_size_x = 16, local_size_y = 1, local_size_z = 1) in;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) readonly buffer weight_blob { float weight_data[]; };
layout(binding = 2) readonly buffer bias_blob { float bias_data[]; };
layout(binding = 3) readonly buffer residual_blob { float residual_data[]; };
layout(binding = 4) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter
{
    int num_input;
    int num_output;
} p;

shared float partial[16];

void main()
{
    int o = int(gl_WorkGroupID.x);
    int row = int(gl_WorkGroupID.y);
    int lane = int(gl_LocalInvocationID.x);

    float sum = 0.0;
    for (int i = lane; i < p.num_input; i += 16)
    {
        sum += bottom_blob_data[row * p.num_input + i] * weight_data[o * p.num_input + i];
    }
    partial[lane] = sum;
    barrier();

    for (int half_count = 8; half_count > 0; half_count /= 2)
    {
        if (lane < half_count)
            partial[lane] += partial[lane + half_count];
        barrier();
    }

    if (lane == 0)
    {
        int at = row * p.num_output + o;
        top_blob_data[at] = partial[0] + bias_data[o] + residual_data[at];
    }
}
