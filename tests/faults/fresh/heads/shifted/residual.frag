#version 330
// picture + 1 x 1 convolution of what was gathered
#include "tiles.glsl"

uniform sampler2D picture;
uniform sampler2D gathered;
uniform sampler2D weights;
uniform sampler2D biases;
uniform int tilesAcross;
uniform ivec2 pictureSize;
uniform int channels;

out float outputValue;

void main() {
    Place here = placeOfFragment(tilesAcross, pictureSize);
    if (here.channel >= channels) {
        outputValue = 0.0;
        return;
    }
    float branch = loadMatrix(biases, 0, here.channel);
    for (int channel = 0; channel < channels; ++channel) {
        branch += loadTile(gathered, tilesAcross, pictureSize, channel, here.y, here.x)
            * loadMatrix(weights, here.channel, channel);
    }
    float skipped = loadTile(picture, tilesAcross, pictureSize, here.channel, here.y, here.x);
    outputValue = skipped + branch;
}
