#version 300 es
// LocalResponseNormalization across channels.
#include "planes.glsl"

uniform int radius;
uniform float bias;
uniform float alpha;
uniform float beta;

float sumOfSquares(ivec4 at) {
    float sum = 0.0;
    for (int j = -radius; j <= radius; j++) {
        int idx = at.y + j;
        if (idx >= 0 && idx < xShape.y) {
            float z = getX(at.x, idx, at.z, at.w);
            sum += z * z;
        }
    }
    return sum;
}

void main() {
    ivec4 at = getOutputCoords();
    float val = getX(at.x, at.y, at.z, at.w);
    float window = float(2 * radius + 1);
    float denominator = bias + alpha / window * sumOfSquares(at);
    outputColor = vec4(val * pow(denominator, -beta), 0, 0, 0);
}
