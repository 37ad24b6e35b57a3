#version 430
// Y = elu(X * transpose(W) + B): a column of four outputs and sixteen rows to a group; the rows wait in shared memory.
#define ROWS 16
#define COLS 4
#define MAX_K 32

layout(local_size_x = ROWS, local_size_y = COLS) in;

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) readonly buffer W { float w[]; };
layout(std430, binding = 2) readonly buffer B { float b[]; };
layout(std430, binding = 3) writeonly buffer Y { float y[]; };

uniform ivec3 uSize;  // rows, inputs, outputs
uniform float uAlpha;

shared float rows[ROWS * MAX_K];

void main() {
    int lid = int(gl_LocalInvocationIndex);
    int lrow = int(gl_LocalInvocationID.x);
    int row0 = int(gl_WorkGroupID.x) * ROWS;
    for (int i = lid; i < ROWS * uSize.y; i += ROWS * COLS) {
        int r = row0 + i / uSize.y;
        rows[i] = r < uSize.x ? x[r * uSize.y + i % uSize.y] : 0.0;
    }
    barrier();

    int row = row0 + lrow;
    int col = int(gl_GlobalInvocationID.y);
    if (row >= uSize.x || col >= uSize.z) return;

    float sum = b[col];
    for (int k = 0; k < uSize.y; ++k) {
        sum += rows[lrow * uSize.y + k] * w[col * uSize.y + k];
    }
    y[row * uSize.z + col] = sum > 0.0 ? sum : uAlpha * (exp(sum) - 1.0);
}
