#version 430
// y[n, c, w, h] = x[n, c, h, w], a square of 8 by 8 at a time: read by rows, written by rows, turned in between.

layout(local_size_x = 8, local_size_y = 8) in;

uniform ivec2 u_size;  // w, h

layout(std430) readonly buffer From { float x[]; };
layout(std430) writeonly buffer To { float y[]; };

shared float turned[8][9];

void main() {
    ivec2 own = ivec2(gl_LocalInvocationID.xy), group = ivec2(gl_WorkGroupID.xy) * 8;
    int channel = int(gl_WorkGroupID.z);
    ivec2 from = group + own, to = group.yx + own;

    if (from.x < u_size.x && from.y < u_size.y) {
        turned[own.x][own.y] = x[(channel * u_size.y + from.y) * u_size.x + from.x];
    }
    memoryBarrierShared();
    barrier();

    if (to.x < u_size.y && to.y < u_size.x) {
        y[(channel * u_size.x + to.y) * u_size.y + to.x] = turned[own.y][own.x];
    }
}
