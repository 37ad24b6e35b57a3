// C = swish(A * B + bias) by tiles of 8 x 8 in shared memory.
#version 450

#define TILE 8

layout(local_size_x = TILE, local_size_y = TILE, local_size_z = 1) in;

layout(constant_id = 0) const int M = 1;
layout(constant_id = 1) const int N = 1;
layout(constant_id = 2) const int K = 1;

layout(binding = 0) readonly buffer A_blob { float A_blob_data[]; };
layout(binding = 1) readonly buffer B_blob { float B_blob_data[]; };
layout(binding = 2) readonly buffer C_blob { float C_blob_data[]; };
layout(binding = 3) writeonly buffer top_blob { float top_blob_data[]; };

shared float tile_a[TILE][TILE];
shared float tile_b[TILE][TILE];

void main()
{
    int lx = int(gl_LocalInvocationID.x);
    int ly = int(gl_LocalInvocationID.y);
    int col = int(gl_WorkGroupID.x) * TILE + lx;
    int row = int(gl_WorkGroupID.y) * TILE + ly;

    float sum = 0.0;
    for (int k0 = 0; k0 < K; k0 += TILE)
    {
        int ka = k0 + lx;
        int kb = k0 + ly;
        tile_a[ly][lx] = row < M && ka < K ? A_blob_data[row * K + ka] : 0.0;
        tile_b[ly][lx] = kb < K && col < N ? B_blob_data[kb * N + col] : 0.0;

        barrier();

        for (int k = 0; k < TILE; k++)
        {
            sum += tile_a[ly][k] * tile_b[k][lx];
        }

        barrier();
    }

    if (row >= M || col >= N)
        return;

    sum += C_blob_data[col];
    float gate = 1.0 / (1.0 + exp(-sum));
    top_blob_data[row * N + col] = sum * gate;
}
