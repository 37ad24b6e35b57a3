#version 430
// softmax of a row by a work group: running maximum and sum as one structure
layout(local_size_x = 32) in;
struct State { float top; float sum; };
buffer In { float src[]; };
buffer Out { float dst[]; };
uniform int columns;
shared State states[gl_WorkGroupSize.x];

State joined(State a, State b) {
    State r;
    r.top = max(a.top, b.top);
    r.sum = a.sum * exp(a.top - r.top) + b.sum * exp(b.top - r.top);
    return r;
}

void main() {
    uint t = gl_LocalInvocationID.x;
    int base = int(gl_WorkGroupID.x) * columns;
    State own = State(-3.0e38, 0.0);
    for (int i = int(t); i < columns; i += int(gl_WorkGroupSize.x)) own = joined(own, State(src[base + i], 1));
    states[t] = own;
    barrier();
    for (uint s = gl_WorkGroupSize.x >> 1; s > 0u; s >>= 1) {
        if (t < s) states[t] = joined(states[t], states[t + s]);
        barrier();
    }
    State all = states[0];
    for (int i = int(t); i < columns; i += int(gl_WorkGroupSize.x)) dst[base + i] = exp(src[base + i] - all.top) / all.sum;
}
