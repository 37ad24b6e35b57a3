#version 330
// depthwise 3x3
#include "slices.glsl"

uniform sampler2D uInput;
uniform sampler2D uKernel;
uniform sampler2D uBias;
uniform ivec2 uInSize;
uniform ivec2 uSize;
uniform int uSlices;
uniform ivec2 uInGrid;
uniform ivec2 uOutGrid;
uniform int uKernelWidth;
uniform ivec2 uStride;
uniform ivec2 uPad;

#define KERNEL_W 3
#define KERNEL_H 3

out vec4 oColor;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    ivec2 tile = pos / uSize;
    ivec2 p = pos - tile * uSize;
    int z = tile.y * uOutGrid.x + tile.x;

    ivec2 s0 = p * uStride - uPad;
    // the part of the window that lies inside: no test in the loops
    ivec2 sta = max(ivec2(0), -s0);
    ivec2 end = min(ivec2(KERNEL_W, KERNEL_H), uInSize - s0);

    vec4 acc = loadFlat(uBias, z, uSlices);
    for (int fy = sta.y; fy < end.y; ++fy) {
        for (int fx = sta.x; fx < end.x; ++fx) {
            vec4 k = loadFlat(uKernel, z * KERNEL_W * KERNEL_H + fy * KERNEL_W + fx, uKernelWidth);
            vec4 v = loadSlice(uInput, s0 + ivec2(fx, fy), z, uInGrid, uInSize);
            acc += k * v;
        }
    }
    oColor = activate(acc);
}
