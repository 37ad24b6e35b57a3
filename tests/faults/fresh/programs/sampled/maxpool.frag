#version 300 es
// MaxPool 3 x 3, stride 2 down and 3 across, VALID.
#include "uv.glsl"

uniform sampler2D x;
uniform vec2 inDims;
uniform vec2 outDims;
uniform float depth;
uniform vec2 strides;

void main() {
    vec3 coords = getOutputCoords(outDims, depth);
    vec2 corner = coords.xy * strides;
    float minMaxValue = getImage(x, inDims, depth, corner, coords.z);
    for (float wR = 0.0; wR < 3.0; wR += 1.0) {
        for (float wC = 0.0; wC < 3.0; wC += 1.0) {
            float value = getImage(x, inDims, depth, corner + vec2(wR, wC), coords.z);
            minMaxValue = max(value, minMaxValue);
        }
    }
    outColor.r = minMaxValue;
}
