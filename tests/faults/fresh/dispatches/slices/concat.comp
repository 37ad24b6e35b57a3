#version 440 core
#include "common.glsl"

layout(set = 0, binding = 0, rgba32f) writeonly restrict uniform image3D uOutput;
layout(set = 0, binding = 1) uniform sampler3D uInput0;
layout(set = 0, binding = 2) uniform sampler3D uInput1;
uniform ivec3 uOutputSize;   // w, h, channels of both
uniform int uFirst;          // channels of the first

GROUP_SIZE;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (OUTSIDE(pos, ivec3(uOutputSize.xy, UP_DIV(uOutputSize.z, 4)))) return;

    vec4 color = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        int c = 4 * pos.z + i;
        if (c < uFirst) {
            color[i] = CHANNEL(uInput0, pos.x, pos.y, c);
        } else if (c < uOutputSize.z) {
            color[i] = CHANNEL(uInput1, pos.x, pos.y, c - uFirst);
        }
    }
    imageStore(uOutput, pos, color);
}
