#version 330
#include "tiles.glsl"
uniform sampler2D src;
uniform vec2 srcGrid, dstGrid;
out vec4 color;

void main() {
    vec2 rowTile = vec2(1.0, TILE.y);
    float n = tileAt(gl_FragCoord.xy, rowTile, dstGrid);
    float y = floor(mod(gl_FragCoord.y, TILE.y));
    float sum = 0.0;
    if (n < BATCH * CHANNELS) {
        for (float x = 0.0; x < TILE.x; x += 1.0)
            sum += fetchTile(src, n, vec2(x, y), TILE, srcGrid);
    }
    color = vec4(sum);
}
