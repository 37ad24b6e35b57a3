#version 330
// 1x1 convolution, four output channels a fragment, four input channels a step
#include "slices.glsl"

uniform sampler2D uInput;
uniform sampler2D uKernel;
uniform sampler2D uBias;
uniform ivec2 uSize;
uniform int uInSlices;
uniform int uOutSlices;
uniform ivec2 uInGrid;
uniform ivec2 uOutGrid;
uniform int uKernelWidth;

layout(location = 0) out vec4 oColor;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    ivec2 tile = pos / uSize;
    ivec2 p = pos - tile * uSize;
    int oz = tile.y * uOutGrid.x + tile.x;
    if (oz >= uOutSlices) {
        oColor = vec4(0.0);
        return;
    }

    vec4 acc = texelFetch(uBias, ivec2(oz, 0), 0);
    int kernelAt = oz * uInSlices * 4;
    for (int iz = 0; iz < uInSlices; ++iz) {
        vec4 color = loadSlice(uInput, p, iz, uInGrid, uSize);
        vec4 k0 = loadFlat(uKernel, kernelAt + 0, uKernelWidth);
        vec4 k1 = loadFlat(uKernel, kernelAt + 1, uKernelWidth);
        vec4 k2 = loadFlat(uKernel, kernelAt + 2, uKernelWidth);
        vec4 k3 = loadFlat(uKernel, kernelAt + 3, uKernelWidth);
        acc += vec4(dot(color, k0), dot(color, k1), dot(color, k2), dot(color, k3));
        kernelAt += 4;
    }
    oColor = activate(acc);
}
