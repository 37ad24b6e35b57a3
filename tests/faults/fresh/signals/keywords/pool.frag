#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#include "tiles.glsl"

// The largest of four bands and two frames; bands overlap by one.

uniform sampler2D u_mixed;
uniform ivec2 u_inputSize;
uniform ivec2 u_outputSize;
uniform int u_columns;
out float o_pooled;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_outputSize;
    ivec2 place = texel - tile * u_outputSize;
    int channel = tile.y * u_columns + tile.x;

    int firstBand = place.y * 3;
    int firstFrame = place.x * 2;
    float largest = readTile(u_mixed, channel, u_columns, u_inputSize, firstBand, firstFrame);
    for (int band = firstBand; band < firstBand + 4; band++) {
        for (int frame = firstFrame; frame < firstFrame + 2; frame++) {
            largest = max(largest, readTile(u_mixed, channel, u_columns, u_inputSize, band, frame));
        }
    }
    o_pooled = largest;
}
