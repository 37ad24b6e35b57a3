#version 300 es
// ResizeNearestNeighbor with halfPixelCenters.
#include "uv.glsl"

uniform sampler2D A;
uniform vec2 inDims;
uniform vec2 outDims;
uniform float depth;

void main() {
    vec3 coords = getOutputCoords(outDims, depth);
    vec2 ratio = inDims / outDims;
    vec2 sourceFracIndexRC = (coords.xy + 0.5) * ratio;
    vec2 sourceNearestRC = min(inDims - 1.0, floor(sourceFracIndexRC));
    outColor.r = getImage(A, inDims, depth, sourceNearestRC, coords.z);
}
