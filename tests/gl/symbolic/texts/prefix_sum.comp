#version 430
// inclusive sums of a row, two buffers in turn
layout(local_size_x = 64) in;
layout(std430) buffer In { float src[]; };
layout(std430) buffer Out { float dst[]; };
uniform int columns;
shared float line[2][64];

void main() {
    int t = int(gl_LocalInvocationID.x), row = int(gl_WorkGroupID.x);
    int from = 0;
    line[from][t] = t < columns ? src[row * columns + t] : 0.0;
    barrier();
    for (int step = 1; step < 64; step <<= 1) {
        int to = 1 - from;
        if (t >= step) {
            line[to][t] = line[from][t] + line[from][t - step];
        } else {
            line[to][t] = line[from][t];
        }
        from = to;
        barrier();
    }
    if (t < columns) dst[row * columns + t] = line[from][t];
}
