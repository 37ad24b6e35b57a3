#version 330
// Scores of every window and head: row (window * HEADS + head) * TOKENS + query, column key.
#include "tiles.glsl"
#include "windows.glsl"

uniform sampler2D projections;
uniform sampler2D biasTable; // a row for each relative place, a column for each head
uniform int tilesAcross;

out float score;

const int HEADS = 2;
const int HEAD_CHANNELS = 5;
const int CHANNELS = HEADS * HEAD_CHANNELS;
const float SCALE = 0.4472136; // 1 / sqrt(5)

// Pixels that were no neighbours before the roll are of different regions.
int regionOf(ivec2 rolled) {
    int row = rolled.y < PICTURE.y - WINDOW_H ? 0 : (rolled.y < PICTURE.y - SHIFT ? 1 : 2);
    int column = rolled.x < PICTURE.x - WINDOW_W ? 0 : (rolled.x < PICTURE.x - SHIFT ? 1 : 2);
    return row * 3 + column;
}

int relativeIndex(int query, int key) {
    int dy = query / WINDOW_W - key / WINDOW_W + WINDOW_H - 1;
    int dx = query % WINDOW_W - key % WINDOW_W + WINDOW_W - 1;
    return dy * (2 * WINDOW_W - 1) + dx;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int key = texel.x;
    int query = texel.y % TOKENS;
    int head = (texel.y / TOKENS) % HEADS;
    int window = texel.y / (TOKENS * HEADS);

    ivec2 queryRolled = placeInRolled(window, query);
    ivec2 keyRolled = placeInRolled(window, key);
    ivec2 queryPlace = placeBeforeRoll(queryRolled);
    ivec2 keyPlace = placeBeforeRoll(keyRolled);

    float product = 0.0;
    for (int c = 0; c < HEAD_CHANNELS; ++c) {
        int queryChannel = head * HEAD_CHANNELS + c;
        int keyChannel = CHANNELS + head * HEAD_CHANNELS + c;
        float q = loadTile(projections, tilesAcross, PICTURE, queryChannel, queryPlace.y, queryPlace.x);
        float k = loadTile(projections, tilesAcross, PICTURE, keyChannel, keyPlace.y, keyPlace.x);
        product += q * k;
    }

    score = product * SCALE + loadMatrix(biasTable, relativeIndex(query, key), head);
    if (regionOf(queryRolled) != regionOf(keyRolled)) {
        score -= 100.0;
    }
}
