#version 330
#include "tiles.glsl"
uniform sampler2D rows;
uniform vec2 rowsGrid, dstGrid;
out vec4 color;

void main() {
    float c = tileAt(gl_FragCoord.xy, vec2(1.0), dstGrid);
    float total = 0.0;
    for (float b = 0.0; b < BATCH; b += 1.0)
        for (float y = 0.0; y < TILE.y; y += 1.0)
            total += fetchTile(rows, b * CHANNELS + c, vec2(0.0, y), vec2(1.0, TILE.y), rowsGrid);
    color = vec4(total / (BATCH * TILE.x * TILE.y));
}
