#version 430
// C[m, n] = sum over k of A[m, k] * B[k, n], by tiles in shared memory; a bias of the columns, or a whole matrix, on top.
#define TS 16
#define UP_DIV(a, b) (((a) + (b) - 1) / (b))

layout(local_size_x = TS, local_size_y = TS) in;

layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(std430, binding = 3) readonly buffer Extra { float extra[]; };

#ifdef PER_COLUMN
#define EXTRA(m, n) extra[n]
#else
#define EXTRA(m, n) extra[(m) * N + (n)]
#endif

uniform ivec3 u_mnk;

shared float tile_a[TS][TS];
shared float tile_b[TS][TS];

void main() {
    const int M = u_mnk.x, N = u_mnk.y, K = u_mnk.z;
    const int tx = int(gl_LocalInvocationID.x);
    const int ty = int(gl_LocalInvocationID.y);
    const int row = int(gl_GlobalInvocationID.y);
    const int col = int(gl_GlobalInvocationID.x);

    float sum = 0.0;
    for (int t = 0; t < UP_DIV(K, TS); ++t) {
        const int ka = t * TS + tx;
        const int kb = t * TS + ty;
        tile_a[ty][tx] = (row < M && ka < K) ? a[row * K + ka] : 0.0;
        tile_b[ty][tx] = (kb < K && col < N) ? b[kb * N + col] : 0.0;
        barrier();
        for (int k = 0; k < TS; ++k) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        barrier();
    }

    if (row >= M || col >= N) return;
    c[row * N + col] = sum + EXTRA(row, col);
}
