#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "tiles.glsl"

uniform sampler2D u_depth;
uniform sampler2D u_weight;  // one row a weight, inputs of an output one below the other
uniform sampler2D u_bias;
uniform ivec2 u_size;
uniform int u_inputs;
uniform int u_inputColumns;
uniform int u_outputColumns;
out float o_mixed;

float hardSwish(float value) {
    return value * clamp(value + 3.0, 0.0, 6.0) / 6.0;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_size;
    ivec2 place = texel - tile * u_size;
    int channel = tile.y * u_outputColumns + tile.x;

    float total = readVector(u_bias, channel);
    for (int i = 0; i < u_inputs; i++) {
        float weight = texelFetch(u_weight, ivec2(0, channel * u_inputs + i), 0).r;
        total += weight * readTile(u_depth, i, u_inputColumns, u_size, place.y, place.x);
    }
    o_mixed = hardSwish(total);
}
