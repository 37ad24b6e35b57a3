#version 330 core
#include "tiles.glsl"

uniform sampler2D source;
uniform sampler2D weights;
uniform sampler2D biases;

const ivec2 SIZE = ivec2(14, 10);
const ivec2 KERNEL = ivec2(3, 3);
const int OUTPUTS = 6;

out vec4 result;

vec4 weights_of(int channel, ivec2 tap) {
    return texelFetch(weights, corner(channel, KERNEL, 3) + tap, 0);
}

float convolved(int channel, ivec2 place) {
    float sum = texelFetch(biases, ivec2(channel, 0), 0).r;

    for (int row = 0; row < KERNEL.y; row++) {
        for (int column = 0; column < KERNEL.x; column++) {
            ivec2 tap = ivec2(column, row);
            ivec2 from = place + tap - 1;
            if (!inside(from, SIZE)) continue;
            vec3 pixel = texelFetch(source, from, 0).rgb;
            sum += dot(pixel, weights_of(channel, tap).rgb);
        }
    }
    return sum;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int group = tile_at(texel, SIZE, 2);
    ivec2 place = texel - corner(group, SIZE, 2);

    result = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int channel = 4 * group + lane;
        if (channel < OUTPUTS) result[lane] = max(convolved(channel, place), 0.0);
    }
}
