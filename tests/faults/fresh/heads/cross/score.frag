#version 330
// A tile a head, two tiles in a row: queries down, keys to the right.
#include "packed.glsl"

#define GRID 2
#define QUERIES 7
#define KEYS 11
#define MASKED -10000.0
#define INV_SQRT_D 0.5

uniform sampler2D uQuery;
uniform sampler2D uKey;
uniform sampler2D uKeep;

out float oScore;

void main() {
    ivec2 tile = HERE / ivec2(KEYS, QUERIES);
    ivec2 in_tile = HERE - tile * ivec2(KEYS, QUERIES);
    int head = tile.y * GRID + tile.x;
    int query = in_tile.y;
    int key = in_tile.x;

    float score = dot(TEXEL(uQuery, head, query), TEXEL(uKey, head, key)) * INV_SQRT_D;
    oScore = TEXEL(uKeep, key, 0).r > 0.5 ? score : MASKED;
}
