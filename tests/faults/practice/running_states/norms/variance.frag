#version 330 core
// variance[n, c] = mean over y, x of (x[n, c, y, x] - mean[n, c])^2, from the means of the pass before.

uniform sampler2D u_x;
uniform sampler2D u_mean;
uniform int u_cols;
uniform int u_cols_out;
out vec4 result;

#include "tiles.glsl"

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = texel.y * u_cols_out + texel.x;
    float mean = texelFetch(u_mean, texel, 0).x;
    float sum = 0.0;
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            float d = tap(u_x, u_cols, tile, ivec2(x, y)) - mean;
            sum += d * d;
        }
    }
    result = vec4(sum / float(WIDTH * HEIGHT), 0.0, 0.0, 1.0);
}
