#version 450
// the largest of a row, and the sum of exp(s - largest)

#define T 4

layout(local_size_x = T) in;
layout(binding = 0) readonly buffer S { float s[]; };
layout(binding = 1) writeonly buffer Top { float top[]; };
layout(binding = 2) writeonly buffer Z { float z[]; };
layout(push_constant) uniform P { int n; };

shared float part[T];

void main() {
    int row = int(gl_WorkGroupID.x), t = int(gl_LocalInvocationID.x);
    int base = row * n;

    float best = -1e30;
    for (int i = t; i < n; i += T) best = max(best, s[base + i]);
    part[t] = best;
    barrier();
    best = max(max(part[0], part[1]), max(part[2], part[3]));
    barrier();

    float sum = 0.0;
    for (int i = t; i < n; i += T) sum += exp(s[base + i] - best);
    part[t] = sum;
    barrier();

    if (t == 0) {
        top[row] = best;
        z[row] = part[0] + part[1] + part[2] + part[3];
    }
}
