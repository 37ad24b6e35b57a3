#version 330 core
#include "tiles.glsl"

uniform sampler2D enlarged;
uniform sampler2D skipped;

const ivec2 SIZE = ivec2(14, 10);
const int FIRST = 5;
const int ALL = 11;

out vec4 result;

float channel_of_first(int channel, ivec2 place) {
    return texelFetch(enlarged, corner(channel / 4, SIZE, 2) + place, 0)[channel % 4];
}

float channel_of_second(int channel, ivec2 place) {
    return texelFetch(skipped, corner(channel / 4, SIZE, 2) + place, 0)[channel % 4];
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int group = tile_at(texel, SIZE, 2);
    ivec2 place = texel - corner(group, SIZE, 2);

    result = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int channel = 4 * group + lane;
        if (channel < FIRST)
            result[lane] = channel_of_first(channel, place);
        else if (channel < ALL)
            result[lane] = channel_of_second(channel - FIRST, place);
    }
}
