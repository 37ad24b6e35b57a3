#version 330
// Two texels for each channel: its mean, and one over its standard deviation.

uniform sampler2D stem;
uniform ivec2 imageSize;
uniform int stemColumns;
uniform int statsColumns;
uniform float epsilon;

layout(location = 0) out vec4 fragColor;

#include "tiles.glsl"

float channelMean(int channel) {
    float total = 0.0;
    for (int y = 0; y < imageSize.y; ++y) {
        for (int x = 0; x < imageSize.x; ++x) {
            total += readChannel(stem, channel, ivec2(x, y), imageSize, stemColumns);
        }
    }
    return total / float(imageSize.x * imageSize.y);
}

float channelVariance(int channel, float mean) {
    float total = 0.0;
    for (int y = 0; y < imageSize.y; ++y) {
        for (int x = 0; x < imageSize.x; ++x) {
            float away = readChannel(stem, channel, ivec2(x, y), imageSize, stemColumns) - mean;
            total += away * away;
        }
    }
    return total / float(imageSize.x * imageSize.y);
}

void main() {
    ivec2 fragment = ivec2(gl_FragCoord.xy);
    ivec2 pairSize = ivec2(2, 1);
    int channel = tileIndex(fragment, pairSize, statsColumns);
    int which = placeInTile(fragment, pairSize).x;

    float mean = channelMean(channel);
    float result = mean;
    if (which == 1) {
        result = inversesqrt(channelVariance(channel, mean) + epsilon);
    }
    fragColor = vec4(result, 0.0, 0.0, 1.0);
}
