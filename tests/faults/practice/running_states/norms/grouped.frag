#version 330 core
// Group normalisation, GROUP channels share mean and variance; every fragment takes the statistics itself.

uniform sampler2D u_x;
uniform sampler2D u_scale;
uniform sampler2D u_shift;
uniform int u_cols;
uniform float u_eps;
out vec4 result;

#include "tiles.glsl"

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = tileOf(texel, u_cols);
    int c = tile % CHANNELS;
    int first = tile / GROUP * GROUP;

    float sum = 0.0;
    float squares = 0.0;
    for (int k = first; k < first + GROUP; ++k) {
        for (int y = 0; y < HEIGHT; ++y) {
            for (int x = 0; x < WIDTH; ++x) {
                float v = tap(u_x, u_cols, k, ivec2(x, y));
                sum += v;
                squares += v * v;
            }
        }
    }
    float count = float(GROUP * WIDTH * HEIGHT);
    float mean = sum / count;
    float variance = squares / count - mean * mean;

    float unit = (texelFetch(u_x, texel, 0).x - mean) / sqrt(variance + u_eps);
    float gamma = texelFetch(u_scale, ivec2(0, c), 0).x;
    float beta = texelFetch(u_shift, ivec2(0, c), 0).x;
    result = vec4(gamma * unit + beta, 0.0, 0.0, 1.0);
}
