#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "tiles.glsl"

// The first layer: 4 bands by 7 frames, two bands a step, one frame a step.

const int KERNEL_BANDS = 4;
const int KERNEL_FRAMES = 7;
const ivec2 PADDING = ivec2(3, 1);
const ivec2 STRIDE = ivec2(1, 2);

uniform sampler2D u_normed;
uniform sampler2D u_kernel;  // one row a filter and band of the kernel
uniform sampler2D u_bias;
uniform ivec2 u_inputSize;
uniform ivec2 u_outputSize;
uniform int u_columns;
out float o_edges;

float kernelAt(int filterIndex, int band, int frame) {
    return texelFetch(u_kernel, ivec2(frame, filterIndex * KERNEL_BANDS + band), 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_outputSize;
    ivec2 place = texel - tile * u_outputSize;
    int filterIndex = tile.y * u_columns + tile.x;

    float total = readVector(u_bias, filterIndex);
    for (int band = 0; band < KERNEL_BANDS; band++) {
        for (int frame = 0; frame < KERNEL_FRAMES; frame++) {
            ivec2 source = place * STRIDE - PADDING + ivec2(frame, band);
            if (isInside(source, u_inputSize)) {
                total += kernelAt(filterIndex, band, frame) * readTile(u_normed, 0, 1, u_inputSize, source.y, source.x);
            }
        }
    }
    o_edges = max(total, 0.0);
}
