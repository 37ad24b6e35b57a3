#version 430
// a depthwise 3 x 3 of 16 x 4 places by one group of 64: the tile is 2-d, each invocation makes two rows
#define GX 16
#define GY 4
layout(local_size_x = GX, local_size_y = GY, local_size_z = 1) in;
layout(std430) readonly buffer Src { vec4 src[]; };
layout(std430) readonly buffer Weights { vec4 weights[]; };
layout(std430) writeonly buffer Dst { vec4 dst[]; };
uniform ivec3 shape;  // w, h, slices
shared vec4 tile[GY * 2 + 2][GX + 2];
shared vec4 w[9];

vec4 fetch(int x, int y, int z) {
    return x < 0 || y < 0 || x >= shape.x || y >= shape.y ? vec4(0.0) : src[(z * shape.y + y) * shape.x + x];
}

void main() {
    const int lx = int(gl_LocalInvocationID.x), ly = int(gl_LocalInvocationID.y);
    const int x0 = int(gl_WorkGroupID.x) * GX, y0 = int(gl_WorkGroupID.y) * GY * 2, z = int(gl_WorkGroupID.z);
    if (gl_LocalInvocationIndex < 9u) w[gl_LocalInvocationIndex] = weights[z * 9 + int(gl_LocalInvocationIndex)];
    for (int y = ly; y < GY * 2 + 2; y += GY) {
        for (int x = lx; x < GX + 2; x += GX) tile[y][x] = fetch(x0 + x - 1, y0 + y - 1, z);
    }
    barrier();
    vec4 acc[2] = vec4[2](vec4(0.0), vec4(0.0));
    for (int r = 0; r < 2; ++r) {
        for (int k = 0; k < 9; ++k) acc[r] += tile[ly * 2 + r + k / 3][lx + k % 3] * w[k];
    }
    barrier();
    int x = x0 + lx, y = y0 + ly * 2;
    if (x < shape.x && y < shape.y) dst[(z * shape.y + y) * shape.x + x] = min(max(acc[0], 0.0), 6.0);
    if (x < shape.x && y + 1 < shape.y) dst[(z * shape.y + y + 1) * shape.x + x] = min(max(acc[1], 0.0), 6.0);
}
