#version 330 core
#include "atlas.glsl"

uniform sampler2D uFeatures;
uniform sampler2D uKernels;
uniform sampler2D uGamma;
uniform sampler2D uBeta;
uniform sampler2D uMean;
uniform sampler2D uVariance;
uniform ivec2 uSize;
uniform int uColumns;
uniform int uKernelColumns;
uniform int uRate;
uniform float uEpsilon;

out float outFeature;

float perChannel(sampler2D values, int channel) {
    return texelFetch(values, ivec2(channel, 0), 0).r;
}

float batchNorm(float value, int channel) {
    float mean = perChannel(uMean, channel);
    float variance = perChannel(uVariance, channel);
    float gamma = perChannel(uGamma, channel);
    float beta = perChannel(uBeta, channel);
    float standardised = (value - mean) / sqrt(variance + uEpsilon);
    return gamma * standardised + beta;
}

float relu6(float value) {
    return min(max(value, 0.0), 6.0);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int channel = channelOf(texel, uColumns, uSize);
    ivec2 position = texel % uSize;
    ivec2 kernelCorner = tileOrigin(channel, uKernelColumns, ivec2(3));

    float sum = 0.0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            ivec2 source = position + uRate * ivec2(dx, dy);
            float weight = texelFetch(uKernels, kernelCorner + ivec2(dx + 1, dy + 1), 0).r;
            sum += weight * readChannel(uFeatures, channel, uColumns, uSize, source);
        }
    }
    outFeature = relu6(batchNorm(sum, channel));
}
