#version 300 es
// CropAndResize, bilinear. A box is y1, x1, y2, x2 as parts of the image; what lies beyond has a value of its own.
#include "uv.glsl"

uniform sampler2D Image;
uniform sampler2D Boxes;
uniform vec2 inDims;
uniform vec2 cropDims;
uniform float depth;
uniform float extrapolationValue;

float getBoxes(float b, float i) {
    return texture(Boxes, (vec2(i, b) + 0.5) / 4.0).r;
}

void main() {
    float perBox = cropDims.x * cropDims.y;
    vec2 texel = floor(resultUV * vec2(depth, 4.0 * perBox));
    float b = floor((texel.y + 0.5) / perBox);
    float inBox = texel.y - b * perBox;
    float y = floor((inBox + 0.5) / cropDims.y);
    float x = inBox - y * cropDims.y;
    float d = texel.x;

    float y1 = getBoxes(b, 0.0);
    float x1 = getBoxes(b, 1.0);
    float y2 = getBoxes(b, 2.0);
    float x2 = getBoxes(b, 3.0);

    float height_scale = (y2 - y1) * (inDims.x - 1.0) / (cropDims.x - 1.0);
    float width_scale = (x2 - x1) * (inDims.y - 1.0) / (cropDims.y - 1.0);

    float in_y = y1 * (inDims.x - 1.0) + y * height_scale;
    if (in_y < 0.0 || in_y > inDims.x - 1.0) {
        outColor.r = extrapolationValue;
        return;
    }
    float in_x = x1 * (inDims.y - 1.0) + x * width_scale;
    if (in_x < 0.0 || in_x > inDims.y - 1.0) {
        outColor.r = extrapolationValue;
        return;
    }

    vec2 at = vec2(in_y, in_x);
    vec2 sourceFloor = floor(at);
    vec2 sourceCeil = ceil(at);

    float topLeft = getImage(Image, inDims, depth, sourceFloor, d);
    float bottomLeft = getImage(Image, inDims, depth, vec2(sourceCeil.x, sourceFloor.y), d);
    float topRight = getImage(Image, inDims, depth, vec2(sourceFloor.x, sourceCeil.y), d);
    float bottomRight = getImage(Image, inDims, depth, sourceCeil, d);

    vec2 frac = at - sourceFloor;
    float top = topLeft + (topRight - topLeft) * frac.y;
    float bottom = bottomLeft + (bottomRight - bottomLeft) * frac.y;
    outColor.r = top + (bottom - top) * frac.x;
}
