#version 330
// 3x3 convolution in groups that are no multiple of four: channels are taken one by one
#include "slices.glsl"

uniform sampler2D uInput;
uniform sampler2D uKernel;   // OIHW, four numbers a texel
uniform sampler2D uBias;
uniform ivec2 uSize;
uniform int uOutChannels;
uniform int uInPerGroup;
uniform int uOutPerGroup;
uniform ivec2 uInGrid;
uniform ivec2 uOutGrid;
uniform int uKernelWidth;
uniform float uSlope;

out vec4 oColor;

float kernel(int index) {
    return loadFlat(uKernel, index / 4, uKernelWidth)[index % 4];
}

float convolve(int oc, ivec2 p) {
    int group = oc / uOutPerGroup;
    int firstIn = group * uInPerGroup;
    float sum = 0.0;
    for (int ic = 0; ic < uInPerGroup; ++ic) {
        int kernelAt = (oc * uInPerGroup + ic) * 9;
        for (int ky = 0; ky < 3; ++ky) {
            for (int kx = 0; kx < 3; ++kx) {
                ivec2 q = p + ivec2(kx, ky) - 1;
                if (outOf(q, uSize)) continue;
                sum += kernel(kernelAt + ky * 3 + kx) * loadChannel(uInput, q, firstIn + ic, uInGrid, uSize);
            }
        }
    }
    return sum;
}

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    ivec2 tile = pos / uSize;
    ivec2 p = pos % uSize;
    int z = tile.y * uOutGrid.x + tile.x;

    vec4 acc = texelFetch(uBias, ivec2(z, 0), 0);
    for (int lane = 0; lane < 4; ++lane) {
        int oc = 4 * z + lane;
        if (oc < uOutChannels) acc[lane] += convolve(oc, p);
    }
    oColor = mix(acc, uSlope * acc, lessThan(acc, vec4(0.0)));
}
