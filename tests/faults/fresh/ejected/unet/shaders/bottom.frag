#version 330 core
#include "tiles.glsl"

uniform sampler2D source;
uniform sampler2D weights;
uniform sampler2D biases;
uniform float elu_alpha;

const ivec2 SIZE = ivec2(7, 5);
const ivec2 KERNEL = ivec2(3, 3);
const ivec2 SPREAD = ivec2(1, 2);
const int INPUT_GROUPS = 2;
const int OUTPUTS = 9;

out vec4 result;

float elu(float value) {
    return value < 0.0 ? elu_alpha * (exp(value) - 1.0) : value;
}

vec4 source_at(int group, ivec2 place) {
    return texelFetch(source, corner(group, SIZE, 2) + place, 0);
}

vec4 weights_of(int channel, int group, ivec2 tap) {
    return texelFetch(weights, corner(channel * INPUT_GROUPS + group, KERNEL, 5) + tap, 0);
}

float convolved(int channel, ivec2 place) {
    ivec2 origin = place - SPREAD;
    float sum = 0.0;

    for (int group = 0; group < INPUT_GROUPS; group++) {
        for (int row = 0; row < KERNEL.y; row++) {
            for (int column = 0; column < KERNEL.x; column++) {
                ivec2 tap = ivec2(column, row);
                ivec2 from = origin + tap * SPREAD;
                if (!inside(from, SIZE)) continue;
                sum += dot(source_at(group, from), weights_of(channel, group, tap));
            }
        }
    }
    return sum + texelFetch(biases, ivec2(channel, 0), 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int group = tile_at(texel, SIZE, 2);
    ivec2 place = texel - corner(group, SIZE, 2);

    result = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        int channel = 4 * group + lane;
        if (channel >= OUTPUTS) break;
        result[lane] = elu(convolved(channel, place));
    }
}
