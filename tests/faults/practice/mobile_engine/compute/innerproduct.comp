#version 450
// One work group an output: products side by side, summed by the first invocation.

layout(local_size_x = 8) in;

layout(binding = 0) readonly buffer bottom_blob { float bottom_blob_data[]; };
layout(binding = 1) readonly buffer weight_blob { float weight_data[]; };
layout(binding = 2) readonly buffer bias_blob { float bias_data[]; };
layout(binding = 3) writeonly buffer top_blob { float top_blob_data[]; };

layout(push_constant) uniform parameter {
    int num_input;
    int num_output;
} p;

shared float products[8];

void main() {
    uint lane = gl_LocalInvocationID.x;
    int row = int(gl_WorkGroupID.x);

    float part = 0.0;
    for (int i = int(lane); i < p.num_input; i += 8)
        part += weight_data[row * p.num_input + i] * bottom_blob_data[i];
    products[lane] = part;
    barrier();

    if (lane == 0u && row < p.num_output) {
        float sum = bias_data[row];
        for (int i = 0; i < 8; i++) sum += products[i];
        top_blob_data[row] = sum;
    }
}
