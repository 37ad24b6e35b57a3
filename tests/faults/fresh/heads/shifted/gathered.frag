#version 330
// The weighted values, each put back to where its query stood before the roll.
#include "tiles.glsl"
#include "windows.glsl"

uniform sampler2D scores;
uniform sampler2D extremes;
uniform sampler2D projections;
uniform int projectionTilesAcross;
uniform int tilesAcross;

out float gatheredValue;

const int HEADS = 2;
const int HEAD_CHANNELS = 5;
const int CHANNELS = HEADS * HEAD_CHANNELS;

float weightOf(int row, int key) {
    float largest = loadMatrix(extremes, row, 0);
    float sum = loadMatrix(extremes, row, 1);
    return exp(loadMatrix(scores, row, key) - largest) / sum;
}

void main() {
    Place here = placeOfFragment(tilesAcross, PICTURE);
    if (here.channel >= CHANNELS) {
        gatheredValue = 0.0;
        return;
    }

    int head = here.channel / HEAD_CHANNELS;
    ivec2 rolled = (ivec2(here.x, here.y) - SHIFT + PICTURE) % PICTURE;
    int window = (rolled.y / WINDOW_H) * WINDOWS_ACROSS + rolled.x / WINDOW_W;
    int query = (rolled.y % WINDOW_H) * WINDOW_W + rolled.x % WINDOW_W;
    int row = (window * HEADS + head) * TOKENS + query;

    float sum = 0.0;
    for (int key = 0; key < TOKENS; ++key) {
        ivec2 place = placeBeforeRoll(placeInRolled(window, key));
        int channel = 2 * CHANNELS + here.channel;
        sum += weightOf(row, key) * loadTile(projections, projectionTilesAcross, PICTURE, channel, place.y, place.x);
    }
    gatheredValue = sum;
}
