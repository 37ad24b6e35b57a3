#version 330
#include "tiles.glsl"
uniform sampler2D src, mu;
uniform vec2 srcGrid, dstGrid;
out vec4 color;

void main() {
    float c = tileAt(gl_FragCoord.xy, vec2(1.0), dstGrid);
    float m = texture(mu, gl_FragCoord.xy / dstGrid).r;
    float total = 0.0;
    for (float b = 0.0; b < BATCH; b += 1.0)
        for (float y = 0.0; y < TILE.y; y += 1.0)
            for (float x = 0.0; x < TILE.x; x += 1.0) {
                float d = fetchTile(src, b * CHANNELS + c, vec2(x, y), TILE, srcGrid) - m;
                total += d * d;
            }
    color = vec4(total / (BATCH * TILE.x * TILE.y));
}
