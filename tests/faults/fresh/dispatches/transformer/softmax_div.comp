#version 450

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer S { float s[]; };
layout(binding = 1) readonly buffer T { float top[]; };
layout(binding = 2) readonly buffer Z { float z[]; };
layout(binding = 3) writeonly buffer P { float p[]; };
layout(push_constant) uniform Push { int n; int total; };

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= total) return;
    int row = i / n;
    p[i] = exp(s[i] - top[row]) / z[row];
}
