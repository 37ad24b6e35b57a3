#version 330 core
#include "tiles.glsl"

uniform sampler2D source;

const ivec2 LARGE = ivec2(14, 10);
const ivec2 SMALL = ivec2(7, 5);

out vec4 result;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int group = tile_at(texel, SMALL, 2);
    ivec2 place = texel - corner(group, SMALL, 2);
    ivec2 from = corner(group, LARGE, 2) + 2 * place;

    vec4 upper_left = texelFetch(source, from, 0);
    vec4 upper_right = texelFetch(source, from + ivec2(1, 0), 0);
    vec4 lower_left = texelFetch(source, from + ivec2(0, 1), 0);
    vec4 lower_right = texelFetch(source, from + ivec2(1, 1), 0);
    vec4 upper = max(upper_left, upper_right);
    vec4 lower = max(lower_left, lower_right);
    result = max(upper, lower);
}
