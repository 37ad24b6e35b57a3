#version 440 core
#include "common.glsl"

layout(set = 0, binding = 0, rgba32f) writeonly restrict uniform image3D uOutput;
layout(set = 0, binding = 1) uniform sampler3D uInput;
layout(set = 0, binding = 2) readonly buffer Kernel { float data[]; } uKernel;   // [ci, co, kh, kw]
layout(set = 0, binding = 3) readonly buffer Bias { float data[]; } uBias;

uniform ivec3 uInputSize;
uniform ivec3 uOutputSize;
uniform ivec2 uStride;
uniform ivec2 uPad;

GROUP_SIZE;

#define TAP(i, o, ky, kx) uKernel.data[(((i) * uOutputSize.z + (o)) * KH + (ky)) * KW + (kx)]

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (OUTSIDE(pos, ivec3(uOutputSize.xy, UP_DIV(uOutputSize.z, 4)))) return;

    vec4 color = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        int o = pos.z * 4 + lane;
        if (o >= uOutputSize.z) continue;

        float sum = uBias.data[o];
        for (int ky = 0; ky < KH; ++ky) {
            int ty = pos.y + uPad.y - ky;
            if (ty < 0 || ty % uStride.y != 0) continue;
            int sy = ty / uStride.y;
            if (sy >= uInputSize.y) continue;

            for (int kx = 0; kx < KW; ++kx) {
                int tx = pos.x + uPad.x - kx;
                if (tx < 0 || tx % uStride.x != 0) continue;
                int sx = tx / uStride.x;
                if (sx >= uInputSize.x) continue;

                for (int z = 0; z < UP_DIV(uInputSize.z, 4); ++z) {
                    vec4 v = LOAD(uInput, sx, sy, z);
                    for (int j = 0; j < 4 && z * 4 + j < uInputSize.z; ++j) {
                        sum += v[j] * TAP(z * 4 + j, o, ky, kx);
                    }
                }
            }
        }
        color[lane] = sum;
    }
    imageStore(uOutput, pos, color);
}
