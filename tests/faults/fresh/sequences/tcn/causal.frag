#version 300 es
precision highp float;
precision highp sampler2D;

// Causal convolution along time: the last tap is the present frame, earlier taps lie uDilation frames apart.

uniform sampler2D uSequence;
uniform sampler2D uDirections;
uniform sampler2D uScales;
uniform sampler2D uBiases;
uniform int uInputChannels;
uniform int uKernelSize;
uniform int uDilation;

out vec4 outColor;

// Before the first frame there is silence.
float getFrame(int channel, int frame) {
    if (frame < 0) {
        return 0.0;
    }
    return texelFetch(uSequence, ivec2(frame, channel), 0).r;
}

float getDirection(int outputChannel, int inputChannel, int tap) {
    int row = outputChannel * uInputChannels + inputChannel;
    return texelFetch(uDirections, ivec2(tap, row), 0).r;
}

void main() {
    int frame = int(gl_FragCoord.x);
    int outputChannel = int(gl_FragCoord.y);

    float sum = 0.0;
    for (int inputChannel = 0; inputChannel < uInputChannels; inputChannel++) {
        for (int tap = 0; tap < uKernelSize; tap++) {
            int lag = (uKernelSize - 1 - tap) * uDilation;
            sum += getFrame(inputChannel, frame - lag) * getDirection(outputChannel, inputChannel, tap);
        }
    }

    float scale = texelFetch(uScales, ivec2(0, outputChannel), 0).r;
    float bias = texelFetch(uBiases, ivec2(outputChannel, 0), 0).r;
    outColor = vec4(sum * scale + bias, 0.0, 0.0, 1.0);
}
