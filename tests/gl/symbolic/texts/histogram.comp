#version 430
// how many of a row are in each of eight steps, counted by atomics
layout(local_size_x = 32) in;
layout(std430) buffer In { float src[]; };
layout(std430) buffer Out { float dst[]; };
uniform int columns;
shared uint counts[8];

void main() {
    uint t = gl_LocalInvocationID.x;
    if (t < 8) counts[t] = 0;
    barrier();
    for (uint i = t; i < columns; i += 32)
        atomicAdd(counts[clamp(int(src[gl_WorkGroupID.x * columns + i] * 2.0 + 4.0), 0, 7)], 1);
    barrier();
    if (t < 8) dst[gl_WorkGroupID.x * 8 + t] = float(counts[t]) / float(columns);
}
