#version 430
// One group per row. The threads add squares with a step of THREADS, then halve the partial sums.
#define THREADS 16

layout(local_size_x = THREADS) in;

layout(std430, binding = 0) readonly buffer Src { float src[]; };
layout(std430, binding = 1) readonly buffer Gamma { float gamma[]; };
layout(std430, binding = 2) writeonly buffer Dst { float dst[]; };

uniform ivec2 u_shape;  // rows, columns
uniform float u_eps;

shared float acc[THREADS];

void main() {
    const int row = int(gl_WorkGroupID.x);
    const int tid = int(gl_LocalInvocationID.x);
    const int base = row * u_shape.y;

    float s = 0.0;
    for (int i = tid; i < u_shape.y; i += THREADS) {
        float v = src[base + i];
        s += v * v;
    }
    acc[tid] = s;
    barrier();

    for (int n = THREADS / 2; n > 0; n /= 2) {
        if (tid < n) acc[tid] += acc[tid + n];
        barrier();
    }

    const float mean = acc[0] / float(u_shape.y);
    const float scale = inversesqrt(mean + u_eps);
    for (int i = tid; i < u_shape.y; i += THREADS) {
        dst[base + i] = src[base + i] * scale * gamma[i];
    }
}
