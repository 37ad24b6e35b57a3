#version 330
// LayerNorm over the channels of every pixel.
#include "tiles.glsl"

uniform sampler2D picture;
uniform sampler2D gamma;
uniform sampler2D beta;
uniform int tilesAcross;
uniform ivec2 pictureSize;
uniform int channels;
uniform float epsilon;

out float normalizedValue;

void main() {
    Place here = placeOfFragment(tilesAcross, pictureSize);
    if (here.channel >= channels) {
        normalizedValue = 0.0;
        return;
    }

    float sum = 0.0;
    float sumOfSquares = 0.0;
    for (int channel = 0; channel < channels; ++channel) {
        float value = loadTile(picture, tilesAcross, pictureSize, channel, here.y, here.x);
        sum += value;
        sumOfSquares += value * value;
    }
    float mean = sum / float(channels);
    float variance = sumOfSquares / float(channels) - mean * mean;

    float value = loadTile(picture, tilesAcross, pictureSize, here.channel, here.y, here.x);
    float unit = (value - mean) / sqrt(variance + epsilon);
    normalizedValue = unit * loadMatrix(gamma, 0, here.channel) + loadMatrix(beta, 0, here.channel);
}
