#version 330 core
#include "atlas.glsl"

uniform sampler2D uLogits;
uniform ivec2 uSmall;
uniform ivec2 uLarge;
uniform int uColumns;

out float outLogit;

float readClamped(int channel, ivec2 position) {
    ivec2 held = clamp(position, ivec2(0), uSmall - 1);
    return readChannel(uLogits, channel, uColumns, uSmall, held);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int channel = channelOf(texel, uColumns, uLarge);
    ivec2 position = texel % uLarge;

    // centres of pixels lie at a half in both pictures
    vec2 source = (vec2(position) + 0.5) * vec2(uSmall) / vec2(uLarge) - 0.5;
    vec2 base = floor(source);
    vec2 blend = source - base;
    ivec2 corner = ivec2(base);

    float topLeft = readClamped(channel, corner);
    float topRight = readClamped(channel, corner + ivec2(1, 0));
    float bottomLeft = readClamped(channel, corner + ivec2(0, 1));
    float bottomRight = readClamped(channel, corner + ivec2(1, 1));

    float top = mix(topLeft, topRight, blend.x);
    float bottom = mix(bottomLeft, bottomRight, blend.x);
    outLogit = mix(top, bottom, blend.y);
}
