#version 440 core
#include "common.glsl"

layout(set = 0, binding = 0, rgba32f) writeonly restrict uniform image3D uOutput;
layout(set = 0, binding = 1) uniform sampler3D uInput;
layout(set = 0, binding = 2) readonly buffer Kernel { float data[]; } uKernel;
layout(set = 0, binding = 3) readonly buffer Bias { float data[]; } uBias;

uniform ivec3 uInputSize;   // w, h, channels
uniform ivec3 uOutputSize;
uniform ivec2 uStride;
uniform ivec2 uPad;
uniform int uGroup;
uniform float uAlpha;

GROUP_SIZE;

#define ELU(v) ((v) > 0.0 ? (v) : uAlpha * (exp(v) - 1.0))

void main() {
    ivec3 pos = ivec3(gl_GlobalInvocationID);
    if (OUTSIDE(pos, ivec3(uOutputSize.xy, UP_DIV(uOutputSize.z, 4)))) return;

    int ic = uInputSize.z / uGroup;
    int oc = uOutputSize.z / uGroup;

    // Taps that are inside, so that the loops need no test.
    ivec2 s0 = pos.xy * uStride - uPad;
    ivec2 sta = max(ivec2(0), -s0);
    ivec2 end = min(ivec2(KW, KH), uInputSize.xy - s0);

    vec4 color = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        int o = pos.z * 4 + lane;
        if (o >= uOutputSize.z) break;
        int g = o / oc;

        float sum = uBias.data[o];
        for (int i = 0; i < ic; ++i) {
            int base = (o * ic + i) * KH * KW;
            for (int ky = sta.y; ky < end.y; ++ky) {
                for (int kx = sta.x; kx < end.x; ++kx) {
                    sum += uKernel.data[base + ky * KW + kx] * CHANNEL(uInput, s0.x + kx, s0.y + ky, g * ic + i);
                }
            }
        }
        color[lane] = ELU(sum);
    }
    imageStore(uOutput, pos, color);
}
