#version 430
// A dense layer over the filtered values and the context behind them, then x sigmoid(x).
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer Filtered { float filtered[]; };
layout(std430, binding = 1) readonly buffer Context { float context[]; };
layout(std430, binding = 2) readonly buffer Weight { float weight[]; };
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
layout(std430, binding = 4) writeonly buffer Result { float result[]; };
uniform int first;
uniform int second;
uniform int outputs;

void main() {
    int o = int(gl_GlobalInvocationID.x);
    if (o >= outputs) return;
    int row = o * (first + second);
    float sum = bias[o];
    for (int i = 0; i < first; ++i) sum += weight[row + i] * filtered[i];
    for (int i = 0; i < second; ++i) sum += weight[row + first + i] * context[i];
    result[o] = sum / (1.0 + exp(-sum));
}
