#version 330
#include "tiles.glsl"
uniform sampler2D src, weight;
uniform vec2 srcGrid;
out vec4 color;

void main() {
    float n = tileAt(gl_FragCoord.xy, TILE, srcGrid);
    float c = mod(n, CHANNELS);
    float b = floor((n + 0.5) / CHANNELS);
    vec2 p = floor(mod(gl_FragCoord.xy, TILE));
    float sum = 0.0;
    for (float i = 0.0; i < CHANNELS; i += 1.0) {
        float v = fetchTile(src, b * CHANNELS + i, p, TILE, srcGrid);
        sum += v * v;
    }
    float scale = inversesqrt(sum / CHANNELS + 0.003);
    float g = texture(weight, vec2(0.5, (c + 0.5) / CHANNELS)).r;
    color = vec4(fetchTile(src, n, p, TILE, srcGrid) * scale * g);
}
