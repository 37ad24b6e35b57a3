#version 330
// Queries, keys and values as a convolution of 1 x 1: channels 0-9, 10-19, 20-29.
#include "tiles.glsl"

uniform sampler2D source;
uniform sampler2D weights;
uniform sampler2D biases;
uniform int sourceTilesAcross;
uniform int tilesAcross;
uniform ivec2 pictureSize;
uniform int sourceChannels;
uniform int channels;

out float projectedValue;

float dotWithWeights(int outputChannel, int y, int x) {
    float sum = 0.0;
    for (int channel = 0; channel < sourceChannels; ++channel) {
        float value = loadTile(source, sourceTilesAcross, pictureSize, channel, y, x);
        sum += value * loadMatrix(weights, outputChannel, channel);
    }
    return sum;
}

void main() {
    Place here = placeOfFragment(tilesAcross, pictureSize);
    projectedValue = 0.0;
    if (here.channel < channels) {
        projectedValue = dotWithWeights(here.channel, here.y, here.x) + loadMatrix(biases, 0, here.channel);
    }
}
