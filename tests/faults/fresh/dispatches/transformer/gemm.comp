#version 450
// D = A B + C, tiles of 8 x 8 through shared memory; K in whole tiles

#define TS 8

layout(local_size_x = TS, local_size_y = TS) in;
layout(binding = 0) readonly buffer bufA { float A[]; };
layout(binding = 1) readonly buffer bufB { float B[]; };
layout(binding = 2) readonly buffer bufC { float C[]; };
layout(binding = 3) writeonly buffer bufD { float D[]; };
layout(push_constant) uniform P { int M; int N; int K; };

shared float As[TS][TS];
shared float Bs[TS][TS];

void main() {
    int tx = int(gl_LocalInvocationID.x), ty = int(gl_LocalInvocationID.y);
    int col = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y);

    float acc = 0.0;
    for (int k0 = 0; k0 < K; k0 += TS) {
        As[ty][tx] = row < M ? A[row * K + k0 + tx] : 0.0;
        Bs[ty][tx] = col < N ? B[(k0 + ty) * N + col] : 0.0;
        barrier();
        for (int k = 0; k < TS; ++k) acc += As[ty][k] * Bs[k][tx];
        barrier();
    }

    if (row < M && col < N) {
        D[row * N + col] = acc + C[col];
    }
}
