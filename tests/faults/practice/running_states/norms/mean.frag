#version 330 core
// mean[n, c] = sum over y, x of x[n, c, y, x] / (H W); one texel a channel.

uniform sampler2D u_x;
uniform int u_cols;
uniform int u_cols_out;
out vec4 result;

#include "tiles.glsl"

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = texel.y * u_cols_out + texel.x;
    float sum = 0.0;
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x)
            sum += tap(u_x, u_cols, tile, ivec2(x, y));
    result = vec4(sum / float(WIDTH * HEIGHT), 0.0, 0.0, 1.0);
}
