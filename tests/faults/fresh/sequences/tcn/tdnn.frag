#version 300 es
precision highp float;
precision highp sampler2D;

// A frame level of a TDNN: context of three frames, every other frame, ReLU, then batch normalisation.

uniform sampler2D uSequence;
uniform sampler2D uWeights;
uniform sampler2D uBiases;
uniform sampler2D uRunningMean;
uniform sampler2D uRunningVariance;
uniform sampler2D uBnGain;
uniform sampler2D uBnShift;
uniform int uInputChannels;
uniform int uKernelSize;
uniform int uDilation;
uniform int uStride;

out vec4 outColor;

const float EPSILON = 0.005;

float getParameter(sampler2D parameters, int channel) {
    return texelFetch(parameters, ivec2(channel, 0), 0).r;
}

float batchNormalize(float value, int channel) {
    float mean = getParameter(uRunningMean, channel);
    float variance = getParameter(uRunningVariance, channel);
    float normalized = (value - mean) / sqrt(variance + EPSILON);
    return normalized * getParameter(uBnGain, channel) + getParameter(uBnShift, channel);
}

float affine(int outputChannel, int firstFrame) {
    float sum = getParameter(uBiases, outputChannel);
    for (int inputChannel = 0; inputChannel < uInputChannels; inputChannel++) {
        int row = outputChannel * uInputChannels + inputChannel;
        for (int tap = 0; tap < uKernelSize; tap++) {
            float value = texelFetch(uSequence, ivec2(firstFrame + tap * uDilation, inputChannel), 0).r;
            float weight = texelFetch(uWeights, ivec2(tap, row), 0).r;
            sum += value * weight;
        }
    }
    return sum;
}

void main() {
    int frame = int(gl_FragCoord.x);
    int channel = int(gl_FragCoord.y);
    float activated = max(affine(channel, frame * uStride), 0.0);
    outColor = vec4(batchNormalize(activated, channel), 0.0, 0.0, 1.0);
}
