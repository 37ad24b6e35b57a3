#version 300 es
precision highp float;
precision highp sampler2D;

// Weight normalisation: w[o] = g[o] * v[o] / |v[o]|. This pass computes g[o] / |v[o]|.

uniform sampler2D uDirections;  // row o * inputs + i, column k
uniform sampler2D uGains;       // row o
uniform int uInputChannels;
uniform int uKernelSize;

out vec4 outColor;

float getDirection(int outputChannel, int inputChannel, int tap) {
    return texelFetch(uDirections, ivec2(tap, outputChannel * uInputChannels + inputChannel), 0).r;
}

void main() {
    int outputChannel = int(gl_FragCoord.y);
    float sumOfSquares = 0.0;
    for (int inputChannel = 0; inputChannel < uInputChannels; inputChannel++) {
        for (int tap = 0; tap < uKernelSize; tap++) {
            float direction = getDirection(outputChannel, inputChannel, tap);
            sumOfSquares += direction * direction;
        }
    }
    float gain = texelFetch(uGains, ivec2(0, outputChannel), 0).r;
    outColor = vec4(gain / sqrt(sumOfSquares), 0.0, 0.0, 1.0);
}
