#version 300 es
precision highp float;
precision highp sampler2D;

// Statistics pooling: means of all channels, then their standard deviations.

uniform sampler2D uSequence;
uniform int uChannels;
uniform int uFrames;

out vec4 outColor;

const float FLOOR = 0.001;

void main() {
    int column = int(gl_FragCoord.x);
    int channel = column % uChannels;

    float sum = 0.0;
    for (int frame = 0; frame < uFrames; frame++) {
        sum += texelFetch(uSequence, ivec2(frame, channel), 0).r;
    }
    float mean = sum / float(uFrames);

    float squares = 0.0;
    for (int frame = 0; frame < uFrames; frame++) {
        float difference = texelFetch(uSequence, ivec2(frame, channel), 0).r - mean;
        squares += difference * difference;
    }
    float variance = squares / float(uFrames);
    float deviation = sqrt(variance + FLOOR);

    outColor = vec4(column < uChannels ? mean : deviation, 0.0, 0.0, 1.0);
}
