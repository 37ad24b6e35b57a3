#version 300 es
// ResizeBilinear with alignCorners: the middles of the corner pixels stay where they are.
#include "uv.glsl"

uniform sampler2D A;
uniform vec2 inDims;
uniform vec2 outDims;
uniform float depth;

void main() {
    vec3 coords = getOutputCoords(outDims, depth);
    vec2 effectiveInputOverOutputRatioRC = (inDims - 1.0) / (outDims - 1.0);
    vec2 sourceFracIndexRC = coords.xy * effectiveInputOverOutputRatioRC;

    vec2 sourceFloorRC = max(floor(sourceFracIndexRC), vec2(0.0));
    vec2 sourceCeilRC = min(inDims - 1.0, ceil(sourceFracIndexRC));

    float topLeft = getImage(A, inDims, depth, sourceFloorRC, coords.z);
    float bottomLeft = getImage(A, inDims, depth, vec2(sourceCeilRC.x, sourceFloorRC.y), coords.z);
    float topRight = getImage(A, inDims, depth, vec2(sourceFloorRC.x, sourceCeilRC.y), coords.z);
    float bottomRight = getImage(A, inDims, depth, sourceCeilRC, coords.z);

    vec2 fracRC = sourceFracIndexRC - sourceFloorRC;
    float top = topLeft + (topRight - topLeft) * fracRC.y;
    float bottom = bottomLeft + (bottomRight - bottomLeft) * fracRC.y;
    outColor.r = top + (bottom - top) * fracRC.x;
}
