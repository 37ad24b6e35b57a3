#version 330 core
#include "atlas.glsl"

uniform sampler2D uFeatures;
uniform sampler2D uWeights; // a row for each pair of channels, inputs of an output one after the other
uniform sampler2D uBias;
uniform ivec2 uSize;
uniform int uInputColumns;
uniform int uOutputColumns;
uniform int uInputChannels;

out float outFeature;

float globalMean(int channel) {
    float sum = 0.0;
    for (int y = 0; y < uSize.y; ++y) {
        for (int x = 0; x < uSize.x; ++x) {
            sum += readChannel(uFeatures, channel, uInputColumns, uSize, ivec2(x, y));
        }
    }
    return sum / float(uSize.x * uSize.y);
}

void main() {
    int outputChannel = channelOf(ivec2(gl_FragCoord.xy), uOutputColumns, ivec2(1));

    float sum = texelFetch(uBias, ivec2(outputChannel, 0), 0).r;
    for (int inputChannel = 0; inputChannel < uInputChannels; ++inputChannel) {
        int row = outputChannel * uInputChannels + inputChannel;
        sum += globalMean(inputChannel) * texelFetch(uWeights, ivec2(0, row), 0).r;
    }
    outFeature = max(sum, 0.0);
}
