#version 330 core
// Local response normalisation over five neighbouring channels.

#define C 7
#define COLUMNS 3
#define TILE ivec2(5, 4)
#define SPAN 5
#define ALPHA 0.6
#define BETA 0.75
#define K 2.0
#define CORNER(c) (ivec2((c) % COLUMNS, (c) / COLUMNS) * TILE)

uniform sampler2D t_map;

out float response;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 p = here % TILE;
    int c = here.y / TILE.y * COLUMNS + here.x / TILE.x;

    float energy = 0.0;
    int from = max(c - SPAN / 2, 0);
    int to = min(c + SPAN / 2, C - 1);
    for (int j = from; j <= to; j++) {
        float v = texelFetch(t_map, CORNER(j) + p, 0).r;
        energy += v * v;
    }
    float x = texelFetch(t_map, here, 0).r;
    response = x * pow(K + ALPHA / float(SPAN) * energy, -BETA);
}
