#version 330 core
#include "atlas.glsl"

uniform sampler2D uLogits;
uniform ivec2 uSize;
uniform int uColumns;
uniform int uClasses;

out float outLabel;

void main() {
    ivec2 position = ivec2(gl_FragCoord.xy);

    int best = 0;
    float highest = readChannel(uLogits, 0, uColumns, uSize, position);
    for (int candidate = 1; candidate < uClasses; ++candidate) {
        float value = readChannel(uLogits, candidate, uColumns, uSize, position);
        if (value > highest) {
            highest = value;
            best = candidate;
        }
    }
    outLabel = float(best);
}
