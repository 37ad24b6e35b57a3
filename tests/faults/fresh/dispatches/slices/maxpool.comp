#version 440 core
#include "common.glsl"

#define LOWEST vec4(-3.402823e38)

layout(set = 0, binding = 0, rgba32f) writeonly restrict uniform image3D uOutput;
layout(set = 0, binding = 1) uniform sampler3D uInput;
uniform ivec3 uInputSize;
uniform ivec3 uOutputSize;
uniform ivec2 uKernel;
uniform ivec2 uStride;

GROUP_SIZE;

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (OUTSIDE(pos, uOutputSize)) return;

    ivec2 from = pos.xy * uStride;
    ivec2 to = min(from + uKernel, uInputSize.xy);

    vec4 best = LOWEST;
    for (int y = from.y; y < to.y; ++y) {
        for (int x = from.x; x < to.x; ++x) {
            best = max(best, LOAD(uInput, x, y, pos.z));
        }
    }
    imageStore(uOutput, pos, best);
}
