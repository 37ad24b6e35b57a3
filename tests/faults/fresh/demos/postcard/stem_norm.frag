#version 330
// relu(gamma * (stem - mean) / deviation + beta)

uniform sampler2D stem;
uniform sampler2D stats;
uniform sampler2D gammas;
uniform sampler2D betas;
uniform ivec2 imageSize;
uniform int stemColumns;
uniform int statsColumns;

layout(location = 0) out vec4 fragColor;

#include "tiles.glsl"

void main() {
    ivec2 fragment = ivec2(gl_FragCoord.xy);
    int channel = tileIndex(fragment, imageSize, stemColumns);

    float value = texelFetch(stem, fragment, 0).r;
    float mean = readChannel(stats, channel, ivec2(0, 0), ivec2(2, 1), statsColumns);
    float inverseDeviation = readChannel(stats, channel, ivec2(1, 0), ivec2(2, 1), statsColumns);
    float gamma = texelFetch(gammas, ivec2(0, channel), 0).r;
    float beta = texelFetch(betas, ivec2(0, channel), 0).r;

    float normalised = (value - mean) * inverseDeviation;
    fragColor = vec4(max(gamma * normalised + beta, 0.0), 0.0, 0.0, 1.0);
}
