#version 430
// C = A * B, tiles of 16 x 16 in shared memory
#define TILE 16
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(std430, binding = 0) readonly buffer MatA { float a[]; };
layout(std430, binding = 1) readonly buffer MatB { float b[]; };
layout(std430, binding = 2) writeonly buffer MatC { float c[]; };
uniform uvec3 size;  // rows, columns, depth
shared float tileA[TILE][TILE + 1];
shared float tileB[TILE][TILE + 1];

void main() {
    uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x;
    uvec2 l = gl_LocalInvocationID.xy;
    float acc = 0.0;
    uint tiles = (size.z + TILE - 1u) / TILE;
    for (uint t = 0u; t < tiles; t++) {
        uint ka = t * TILE + l.x, kb = t * TILE + l.y;
        tileA[l.y][l.x] = (row < size.x && ka < size.z) ? a[row * size.z + ka] : 0.0;
        tileB[l.y][l.x] = (col < size.y && kb < size.z) ? b[kb * size.y + col] : 0.0;
        memoryBarrierShared();
        barrier();
        for (uint k = 0u; k < TILE; k++) acc = fma(tileA[l.y][k], tileB[k][l.x], acc);
        barrier();
    }
    if (row < size.x && col < size.y) c[row * size.y + col] = acc;
}
