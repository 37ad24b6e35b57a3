#version 330 core
#include "tiles.glsl"

uniform sampler2D source;
uniform sampler2D weights;
uniform sampler2D biases;

const ivec2 SIZE = ivec2(14, 10);
const ivec2 KERNEL = ivec2(3, 3);
const int INPUT_GROUPS = 3;

out vec4 result;

vec4 weights_of(int channel, int group, ivec2 tap) {
    return texelFetch(weights, corner(channel * INPUT_GROUPS + group, KERNEL, 3) + tap, 0);
}

vec3 biases_of_all() {
    return vec3(
        texelFetch(biases, ivec2(0, 0), 0).r, texelFetch(biases, ivec2(1, 0), 0).r, texelFetch(biases, ivec2(2, 0), 0).r);
}

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    vec3 sum = biases_of_all();

    for (int row = 0; row < KERNEL.y; row++) {
        for (int column = 0; column < KERNEL.x; column++) {
            ivec2 tap = ivec2(column, row);
            ivec2 from = place + tap - ivec2(1, 1);
            if (!inside(from, SIZE)) continue;
            for (int group = 0; group < INPUT_GROUPS; group++) {
                vec4 four = texelFetch(source, corner(group, SIZE, 2) + from, 0);
                sum.r += dot(four, weights_of(0, group, tap));
                sum.g += dot(four, weights_of(1, group, tap));
                sum.b += dot(four, weights_of(2, group, tap));
            }
        }
    }
    result = vec4(tanh(sum), 0.0);
}
