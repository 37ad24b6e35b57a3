#version 330
// Conditional instance norm between two styles, then ELU.

uniform sampler2D features;
uniform sampler2D gammaA;
uniform sampler2D gammaB;
uniform sampler2D betaA;
uniform sampler2D betaB;
uniform ivec2 smallSize;
uniform int smallColumns;
uniform sampler2D style; // a texel, 0 for A and 1 for B
uniform float epsilon;

layout(location = 0) out vec4 fragColor;

#include "tiles.glsl"

const float ALPHA = 0.8;

float elu(float v) {
    return v > 0.0 ? v : ALPHA * (exp(v) - 1.0);
}

void main() {
    ivec2 fragment = ivec2(gl_FragCoord.xy);
    int channel = tileIndex(fragment, smallSize, smallColumns);
    float count = float(smallSize.x * smallSize.y);

    float mean = 0.0;
    for (int i = 0; i < smallSize.x * smallSize.y; ++i) {
        ivec2 place = ivec2(i % smallSize.x, i / smallSize.x);
        mean += readChannel(features, channel, place, smallSize, smallColumns);
    }
    mean /= count;

    float variance = 0.0;
    for (int i = 0; i < smallSize.x * smallSize.y; ++i) {
        ivec2 place = ivec2(i % smallSize.x, i / smallSize.x);
        float away = readChannel(features, channel, place, smallSize, smallColumns) - mean;
        variance += away * away;
    }
    variance /= count;

    float blend = texelFetch(style, ivec2(0), 0).r;
    ivec2 own = ivec2(0, channel);
    float gamma = mix(texelFetch(gammaA, own, 0).r, texelFetch(gammaB, own, 0).r, blend);
    float beta = mix(texelFetch(betaA, own, 0).r, texelFetch(betaB, own, 0).r, blend);

    float unit = (texelFetch(features, fragment, 0).r - mean) / sqrt(variance + epsilon);
    fragColor = vec4(elu(unit * gamma + beta), 0.0, 0.0, 1.0);
}
