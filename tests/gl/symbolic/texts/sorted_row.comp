#version 430
// the first 16 of a row in order, by a bitonic network
layout(local_size_x = 16) in;
layout(std430) buffer In { float src[]; };
layout(std430) buffer Out { float dst[]; };
uniform uint columns;
shared float s[16];

void main() {
    uint t = gl_LocalInvocationID.x;
    s[t] = src[gl_WorkGroupID.x * columns + t];
    barrier();
    for (uint k = 2u; k <= 16u; k <<= 1) {
        for (uint j = k >> 1; j > 0u; j >>= 1) {
            uint other = t ^ j;
            if (other > t) {
                bool up = (t & k) == 0u;
                if ((s[t] > s[other]) == up) {
                    float kept = s[t];
                    s[t] = s[other];
                    s[other] = kept;
                }
            }
            barrier();
        }
    }
    dst[gl_WorkGroupID.x * 16u + t] = s[t];
}
