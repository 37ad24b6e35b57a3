#version 330 core
// Two pixels more on every side, mirrored at the border without repeating it.

uniform sampler2D u_picture;
uniform ivec2 u_tile;      // width, height
uniform int u_border;

out float color;

int mirrored(int i, int count) {
    int folded = abs(i);
    return folded < count ? folded : 2 * (count - 1) - folded;
}

void main() {
    ivec2 wide = u_tile + 2 * u_border;
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / wide;
    ivec2 p = texel - tile * wide - u_border;
    ivec2 from = ivec2(mirrored(p.x, u_tile.x), mirrored(p.y, u_tile.y));
    color = texelFetch(u_picture, tile * u_tile + from, 0).r;
}
