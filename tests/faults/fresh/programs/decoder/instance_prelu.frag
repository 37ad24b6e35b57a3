#version 300 es
// InstanceNormalization of a plane, then prelu with a slope a channel.
#include "planes.glsl"

uniform sampler2D gamma;
uniform sampler2D beta;
uniform sampler2D slopes;
uniform float epsilon;

float ofChannel(sampler2D t, int c) {
    return texelFetch(t, ivec2(c, 0), 0).r;
}

float planeMean(ivec4 at) {
    float sum = 0.0;
    for (int r = 0; r < xShape.z; r++) {
        for (int c = 0; c < xShape.w; c++) {
            sum += getX(at.x, at.y, r, c);
        }
    }
    return sum / float(xShape.z * xShape.w);
}

float planeVariance(ivec4 at, float mean) {
    float sum = 0.0;
    for (int r = 0; r < xShape.z; r++) {
        for (int c = 0; c < xShape.w; c++) {
            float away = getX(at.x, at.y, r, c) - mean;
            sum += away * away;
        }
    }
    return sum / float(xShape.z * xShape.w);
}

float prelu(float a, float b) {
    return a < 0.0 ? b * a : a;
}

void main() {
    ivec4 at = getOutputCoords();
    float mean = planeMean(at);
    float deviation = sqrt(planeVariance(at, mean) + epsilon);
    float value = (getX(at.x, at.y, at.z, at.w) - mean) / deviation;
    value = value * ofChannel(gamma, at.y) + ofChannel(beta, at.y);
    float slope = texelFetch(slopes, ivec2(0, at.y), 0).r;
    outputColor = vec4(prelu(value, slope), 0, 0, 0);
}
