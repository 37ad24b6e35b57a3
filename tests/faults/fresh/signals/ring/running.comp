#version 430
// Exponential moving mean and variance go on by one step, and the step is measured in them.
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer Value { float value[]; };
layout(std430, binding = 1) readonly buffer Mean { float mean[]; };
layout(std430, binding = 2) readonly buffer Variance { float variance[]; };
layout(std430, binding = 3) writeonly buffer MeanNext { float mean_next[]; };
layout(std430, binding = 4) writeonly buffer VarianceNext { float variance_next[]; };
layout(std430, binding = 5) writeonly buffer Result { float result[]; };
uniform int outputs;
uniform float rate;
uniform float epsilon;

void main() {
    int o = int(gl_GlobalInvocationID.x);
    if (o >= outputs) return;
    float away = value[o] - mean[o];
    float m = mean[o] + rate * away;
    float v = (1.0 - rate) * (variance[o] + rate * away * away);
    mean_next[o] = m;
    variance_next[o] = v;
    result[o] = (value[o] - m) / sqrt(v + epsilon);
}
