#version 330 core
#include "tiles.glsl"

uniform sampler2D source;
uniform sampler2D weights;
uniform sampler2D biases;

const ivec2 SMALL = ivec2(7, 5);
const ivec2 LARGE = ivec2(14, 10);
const ivec2 KERNEL = ivec2(3, 3);
const int INPUTS = 9;
const int OUTPUTS = 5;

out vec4 result;

// From an input to the four outputs of a group
vec4 weights_of(int channel, int group, ivec2 tap) {
    return texelFetch(weights, corner(2 * channel + group, KERNEL, 5) + tap, 0);
}

float source_at(int channel, ivec2 place) {
    return texelFetch(source, corner(channel / 4, SMALL, 2) + place, 0)[channel % 4];
}

vec4 biases_of(int group) {
    vec4 four = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int channel = 4 * group + lane;
        if (channel < OUTPUTS) four[lane] = texelFetch(biases, ivec2(channel, 0), 0).r;
    }
    return four;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int group = tile_at(texel, LARGE, 2);
    ivec2 place = texel - corner(group, LARGE, 2) + 1;

    vec4 sum = biases_of(group);
    // Of the taps only those that fall on a texel of the small picture: every second one
    for (int row = place.y % 2; row < KERNEL.y; row += 2) {
        for (int column = place.x % 2; column < KERNEL.x; column += 2) {
            ivec2 tap = ivec2(column, row);
            ivec2 from = (place - tap) / 2;
            if (place.x < tap.x || place.y < tap.y || !inside(from, SMALL)) continue;
            for (int channel = 0; channel < INPUTS; channel++)
                sum += source_at(channel, from) * weights_of(channel, group, tap);
        }
    }
    result = sum;
}
