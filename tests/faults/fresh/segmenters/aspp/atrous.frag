#version 330 core
#include "atlas.glsl"

uniform sampler2D uFeatures;
uniform sampler2D uFilters;
uniform sampler2D uBias;
uniform ivec2 uSize;
uniform int uInputColumns;
uniform int uOutputColumns;
uniform int uInputChannels;
uniform int uRate;

out float outFeature;

const ivec2 KERNEL = ivec2(3, 3);
const int FILTER_COLUMNS = 2;
const ivec2 KERNELS = ivec2(3, 2);

/** The sum of one input channel under its own kernel, its taps `uRate` texels apart. */
float convolve(int outputChannel, int inputChannel, ivec2 position) {
    float sum = 0.0;
    for (int tapY = 0; tapY < KERNEL.y; ++tapY) {
        for (int tapX = 0; tapX < KERNEL.x; ++tapX) {
            ivec2 tap = ivec2(tapX, tapY);
            ivec2 source = position + uRate * (tap - 1);
            sum += readChannel(uFeatures, inputChannel, uInputColumns, uSize, source)
                 * readWeight(uFilters, outputChannel, inputChannel, tap, FILTER_COLUMNS, KERNELS, KERNEL);
        }
    }
    return sum;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int outputChannel = channelOf(texel, uOutputColumns, uSize);
    ivec2 position = texel % uSize;

    float total = 0.0;
    for (int inputChannel = 0; inputChannel < uInputChannels; ++inputChannel) {
        total += convolve(outputChannel, inputChannel, position);
    }
    total += texelFetch(uBias, ivec2(outputChannel, 0), 0).r;
    outFeature = max(total, 0.0);
}
