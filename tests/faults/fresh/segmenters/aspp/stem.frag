#version 330 core
#include "atlas.glsl"

uniform sampler2D uImage;
uniform sampler2D uFilters;
uniform sampler2D uBias;
uniform ivec2 uImageSize;
uniform int uImageColumns;
uniform ivec2 uOutputSize;
uniform int uOutputColumns;
uniform int uInputChannels;
uniform float uSlope;

out float outFeature;

const ivec2 KERNEL = ivec2(3, 3);
const ivec2 STRIDE = ivec2(2, 2);
const ivec2 PADDING = ivec2(1, 1);
const int FILTER_COLUMNS = 3;
const ivec2 KERNELS = ivec2(2, 2);

float leakyRelu(float value) {
    return value < 0.0 ? uSlope * value : value;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int outputChannel = channelOf(texel, uOutputColumns, uOutputSize);
    ivec2 position = texel % uOutputSize;
    ivec2 corner = position * STRIDE - PADDING;

    float sum = texelFetch(uBias, ivec2(outputChannel, 0), 0).r;
    for (int inputChannel = 0; inputChannel < uInputChannels; ++inputChannel) {
        for (int tapY = 0; tapY < KERNEL.y; ++tapY) {
            for (int tapX = 0; tapX < KERNEL.x; ++tapX) {
                ivec2 tap = ivec2(tapX, tapY);
                float value = readChannel(uImage, inputChannel, uImageColumns, uImageSize, corner + tap);
                float weight = readWeight(uFilters, outputChannel, inputChannel, tap, FILTER_COLUMNS, KERNELS, KERNEL);
                sum += value * weight;
            }
        }
    }
    outFeature = leakyRelu(sum);
}
