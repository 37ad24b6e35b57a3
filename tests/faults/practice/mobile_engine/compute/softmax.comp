#version 450
// All in one work group: the largest value, then the sum of the powers, both by halves in shared memory.

#define GROUP 8

layout(local_size_x = GROUP) in;

layout(binding = 0) readonly buffer src { float x[]; };
layout(binding = 1) writeonly buffer dst { float y[]; };

layout(push_constant) uniform parameter {
    int n;
} p;

shared float scratch[GROUP];

float reduce_max(float value, int t) {
    scratch[t] = value;
    barrier();
    for (int s = GROUP >> 1; s > 0; s >>= 1) {
        if (t < s) scratch[t] = max(scratch[t], scratch[t + s]);
        barrier();
    }
    float result = scratch[0];
    barrier();
    return result;
}

float reduce_sum(float value, int t) {
    scratch[t] = value;
    barrier();
    for (int s = GROUP >> 1; s > 0; s >>= 1) {
        if (t < s) scratch[t] += scratch[t + s];
        barrier();
    }
    float result = scratch[0];
    barrier();
    return result;
}

void main() {
    int t = int(gl_LocalInvocationID.x);
    float value = t < p.n ? x[t] : -1.0e30;
    float largest = reduce_max(value, t);
    float power = t < p.n ? exp(value - largest) : 0.0;
    float total = reduce_sum(power, t);
    if (t < p.n) y[t] = power / total;
}
