#version 300 es
// LogSoftmax across channels, pixel by pixel.
#include "planes.glsl"

float largest(ivec4 at) {
    float best = getX(at.x, 0, at.z, at.w);
    for (int c = 1; c < xShape.y; c++) {
        best = max(best, getX(at.x, c, at.z, at.w));
    }
    return best;
}

float sumOfExponentials(ivec4 at, float most) {
    float sum = 0.0;
    for (int c = 0; c < xShape.y; c++) {
        sum += exp(getX(at.x, c, at.z, at.w) - most);
    }
    return sum;
}

void main() {
    ivec4 at = getOutputCoords();
    float most = largest(at);
    float total = sumOfExponentials(at, most);
    outputColor = vec4(getX(at.x, at.y, at.z, at.w) - most - log(total), 0, 0, 0);
}
