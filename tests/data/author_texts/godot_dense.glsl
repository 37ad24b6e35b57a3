// res://shaders/dense.glsl

#[compute]
#version 450

layout(local_size_x = 8, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std430) restrict readonly buffer Input { float data[]; } x_in;
layout(set = 0, binding = 1, std430) restrict readonly buffer Weights { float data[]; } weights;
layout(set = 0, binding = 2, std430) restrict buffer Output { float data[]; } y_out;

layout(push_constant, std430) uniform Params {
    int inputs;
    int outputs;
} params;

void main() {
    uint o = gl_GlobalInvocationID.x;
    if (o >= params.outputs) return;
    float sum = 0.0;
    for (int i = 0; i < params.inputs; i++) {
        sum += weights.data[o * params.inputs + i] * x_in.data[i];
    }
    y_out.data[o] = max(sum, 0.0);
}
