#version 300 es
precision highp float;
precision highp sampler2D;

// A convolution of size 1 of the gated signal, and what came into the block.

uniform sampler2D uGated;
uniform sampler2D uSkip;
uniform sampler2D uWeights;  // row o * channels + i
uniform sampler2D uBiases;
uniform int uChannels;

out vec4 outColor;

float getWeight(int outputChannel, int inputChannel) {
    return texelFetch(uWeights, ivec2(0, outputChannel * uChannels + inputChannel), 0).r;
}

void main() {
    int frame = int(gl_FragCoord.x);
    int outputChannel = int(gl_FragCoord.y);

    float sum = texelFetch(uBiases, ivec2(outputChannel, 0), 0).r;
    for (int inputChannel = 0; inputChannel < uChannels; inputChannel++) {
        sum += getWeight(outputChannel, inputChannel) * texelFetch(uGated, ivec2(frame, inputChannel), 0).r;
    }
    float skip = texelFetch(uSkip, ivec2(frame, outputChannel), 0).r;
    outColor = vec4(sum + skip, 0.0, 0.0, 1.0);
}
