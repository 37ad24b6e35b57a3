#version 430
// Dilated causal taps over what the ring holds; the last tap is the newest frame. Then an ELU.
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer Ring { float ring[]; };
layout(std430, binding = 1) readonly buffer Weight { float weight[]; };
layout(std430, binding = 2) readonly buffer Bias { float bias[]; };
layout(std430, binding = 3) writeonly buffer Result { float result[]; };
uniform int head;
uniform int slots;
uniform int channels;
uniform int outputs;
const int TAPS = 3;
const int APART = 4;

int slot(int age) {
    return (head - age + slots) % slots;
}

void main() {
    int o = int(gl_GlobalInvocationID.x);
    if (o >= outputs) return;
    float sum = bias[o];
    int at = o * channels * TAPS;
    for (int c = 0; c < channels; ++c) {
        for (int k = 0; k < TAPS; ++k) {
            sum += weight[at] * ring[c * slots + slot((TAPS - 1 - k) * APART)];
            ++at;
        }
    }
    result[o] = sum > 0.0 ? sum : exp(sum) - 1.0;
}
