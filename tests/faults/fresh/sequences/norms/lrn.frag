#version 330
#include "tiles.glsl"
uniform sampler2D src;
uniform vec2 srcGrid;
uniform float alpha, beta, k;
out vec4 color;

const float SIZE = 5.0;

void main() {
    float n = tileAt(gl_FragCoord.xy, TILE, srcGrid);
    float c = mod(n, CHANNELS);
    float first = n - c;
    vec2 p = floor(mod(gl_FragCoord.xy, TILE));
    float lo = max(c - 2.0, 0.0);
    float hi = min(c + 2.0, CHANNELS - 1.0);
    float sq = 0.0;
    for (float i = lo; i <= hi; i += 1.0) {
        float v = fetchTile(src, first + i, p, TILE, srcGrid);
        sq += v * v;
    }
    float x = fetchTile(src, n, p, TILE, srcGrid);
    color = vec4(x * pow(k + alpha / SIZE * sq, -beta));
}
