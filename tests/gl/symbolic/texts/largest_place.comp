#version 430
// the largest value of a row and where it is, by halves; written as value + place
layout(local_size_x = 16) in;
layout(std430) buffer In { float src[]; };
layout(std430) buffer Out { vec2 dst[]; };
uniform int columns;
shared float best[16];
shared int place[16];

void main() {
    uint t = gl_LocalInvocationID.x;
    int row = int(gl_WorkGroupID.x);
    float v = -1e30;
    int p = -1;
    for (int i = int(t); i < columns; i += 16) {
        float s = src[row * columns + i];
        if (s > v) { v = s; p = i; }
    }
    best[t] = v; place[t] = p;
    barrier();
    for (uint s = 8u; s > 0u; s /= 2u) {
        if (t < s && best[t + s] > best[t]) {
            best[t] = best[t + s];
            place[t] = place[t + s];
        }
        barrier();
    }
    if (t == 0u) dst[row] = vec2(best[0], place[0]);
}
