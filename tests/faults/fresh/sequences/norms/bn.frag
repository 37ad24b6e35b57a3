#version 330
#include "tiles.glsl"
uniform sampler2D src, mu, sigma2, gamma, beta;
uniform vec2 srcGrid, muGrid;
out vec4 color;

void main() {
    float n = tileAt(gl_FragCoord.xy, TILE, srcGrid);
    float c = mod(n, CHANNELS);
    vec2 p = floor(mod(gl_FragCoord.xy, TILE));
    float x = fetchTile(src, n, p, TILE, srcGrid);
    vec2 at = (cellOf(c, muGrid) + 0.5) / muGrid;
    float norm = (x - texture(mu, at).r) * inversesqrt(texture(sigma2, at).r + 0.01);
    float u = (c + 0.5) / CHANNELS;
    float v = norm * texture(gamma, vec2(0.5, u)).r + texture(beta, vec2(0.5, u)).r;
    color = vec4(v < 0.0 ? 0.15 * v : v);
}
