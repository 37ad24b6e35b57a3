#version 300 es
precision highp float;
precision highp sampler2D;

// The first half of the channels is the signal, the second half its gate.

uniform sampler2D uPair;
uniform int uChannels;

out vec4 outColor;

float sigmoid(float value) {
    return 1.0 / (1.0 + exp(-value));
}

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    float signal = texelFetch(uPair, place, 0).r;
    float gate = texelFetch(uPair, ivec2(place.x, place.y + uChannels), 0).r;
    float value = tanh(signal) * sigmoid(gate);
    outColor = vec4(value, 0.0, 0.0, 1.0);
}
