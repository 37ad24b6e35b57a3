#version 330 core
#include "atlas.glsl"

uniform sampler2D uNear;
uniform sampler2D uFar;
uniform sampler2D uContext;
uniform sampler2D uWeights;
uniform sampler2D uBias;
uniform ivec2 uSize;
uniform ivec3 uChannels; // of each branch
uniform ivec3 uColumns;  // of tiles in each branch
uniform int uOutputColumns;

out float outLogit;

float weightOf(int outputChannel, int inputChannel) {
    int inputs = uChannels.x + uChannels.y + uChannels.z;
    return texelFetch(uWeights, ivec2(0, outputChannel * inputs + inputChannel), 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int outputChannel = channelOf(texel, uOutputColumns, uSize);
    ivec2 position = texel % uSize;

    float sum = texelFetch(uBias, ivec2(outputChannel, 0), 0).r;
    int offset = 0;
    for (int c = 0; c < uChannels.x; ++c) {
        sum += readChannel(uNear, c, uColumns.x, uSize, position) * weightOf(outputChannel, offset + c);
    }
    offset += uChannels.x;
    for (int c = 0; c < uChannels.y; ++c) {
        sum += readChannel(uFar, c, uColumns.y, uSize, position) * weightOf(outputChannel, offset + c);
    }
    offset += uChannels.y;
    for (int c = 0; c < uChannels.z; ++c) {
        // the pooled branch is one texel for each channel, the same everywhere
        sum += readChannel(uContext, c, uColumns.z, ivec2(1), ivec2(0)) * weightOf(outputChannel, offset + c);
    }
    outLogit = sum;
}
