#version 450
// D = gelu(A B + C), four columns an invocation

layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { vec4 b[]; };
layout(binding = 2) readonly buffer C { vec4 c[]; };
layout(binding = 3) writeonly buffer D { vec4 d[]; };
layout(push_constant) uniform P { int M; int N; int K; };

vec4 gelu(vec4 v) {
    return 0.5 * v * (1.0 + tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
}

void main() {
    int n4 = N / 4;
    int col = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y);
    if (row >= M || col >= n4) return;

    vec4 acc = c[col];
    for (int k = 0; k < K; ++k) acc += a[row * K + k] * b[k * n4 + col];
    d[row * n4 + col] = gelu(acc);
}
