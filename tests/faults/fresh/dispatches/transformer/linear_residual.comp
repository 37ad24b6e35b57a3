#version 450
// one work group a row: the row goes into shared memory once, then each invocation makes every T-th column

#define T 16

layout(local_size_x = T) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) readonly buffer W { float w[]; };
layout(binding = 2) readonly buffer Bias { float bias[]; };
layout(binding = 3) readonly buffer Skip { float skip[]; };
layout(binding = 4) writeonly buffer Out { float dst[]; };
layout(push_constant) uniform P { int K; int N; };

shared float line[32];

void main() {
    int row = int(gl_WorkGroupID.x), t = int(gl_LocalInvocationID.x);

    for (int k = t; k < K; k += T) line[k] = src[row * K + k];
    barrier();

    for (int c = t; c < N; c += T) {
        float acc = bias[c];
        for (int k = 0; k < K; ++k) acc += line[k] * w[k * N + c];
        dst[row * N + c] = acc + skip[row * N + c];
    }
}
