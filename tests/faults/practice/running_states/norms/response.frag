#version 330 core
// Local response: y[c] = x[c] / (bias + alpha / size * sum of squares of channels c - 2 .. c + 2)^beta

uniform sampler2D u_x;
uniform int u_cols;
uniform float u_alpha;
uniform float u_beta;
uniform float u_bias;
out vec4 result;

#include "tiles.glsl"

const int SIZE = 5;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = tileOf(texel, u_cols);
    ivec2 p = texel - texelOf(tile, u_cols, ivec2(0));
    int c = tile % CHANNELS;
    int picture = tile - c;

    int from = max(c - SIZE / 2, 0);
    int to = min(c + SIZE / 2, CHANNELS - 1);
    float squares = 0.0;
    for (int k = from; k <= to; ++k) {
        float v = tap(u_x, u_cols, picture + k, p);
        squares += v * v;
    }

    float x = texelFetch(u_x, texel, 0).x;
    float norm = u_bias + u_alpha / float(SIZE) * squares;
    result = vec4(x / pow(norm, u_beta), 0.0, 0.0, 1.0);
}
