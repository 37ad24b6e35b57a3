#version 450

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer M { float m[]; };
layout(binding = 2) readonly buffer R { float r[]; };
layout(binding = 3) readonly buffer G { float gamma[]; };
layout(binding = 4) readonly buffer B { float beta[]; };
layout(binding = 5) writeonly buffer Y { float y[]; };
layout(push_constant) uniform P { int n; int total; };

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= total) return;
    int row = i / n, col = i % n;
    y[i] = (x[i] - m[row]) * r[row] * gamma[col] + beta[col];
}
