#version 330
// ReflectionPad2d(1), Conv2d(6, 9, 3, stride=2)

uniform sampler2D features;
uniform sampler2D weights; // a tile for each filter and input
uniform sampler2D biases;
uniform ivec2 imageSize;
uniform ivec2 smallSize;
uniform int featureColumns;
uniform int smallColumns;
uniform ivec2 filterGrid; // columns of filters, and of the kernels in a filter

layout(location = 0) out vec4 fragColor;

#include "tiles.glsl"

const int CHANNELS = 6;

float weightAt(int outChannel, int inChannel, ivec2 tap) {
    ivec2 filterSize = ivec2(3 * filterGrid.y, 3 * ((CHANNELS + filterGrid.y - 1) / filterGrid.y));
    ivec2 filterOrigin = ivec2(outChannel % filterGrid.x, outChannel / filterGrid.x) * filterSize;
    ivec2 kernelOrigin = ivec2(inChannel % filterGrid.y, inChannel / filterGrid.y) * 3;
    return texelFetch(weights, filterOrigin + kernelOrigin + tap, 0).r;
}

void main() {
    ivec2 fragment = ivec2(gl_FragCoord.xy);
    int outChannel = tileIndex(fragment, smallSize, smallColumns);
    ivec2 corner = placeInTile(fragment, smallSize) * 2 - 1;

    float sum = texelFetch(biases, ivec2(outChannel, 0), 0).r;
    for (int tap = 0; tap < 9; ++tap) {
        ivec2 offset = ivec2(tap % 3, tap / 3);
        ivec2 place = reflectPlace(corner + offset, imageSize);
        for (int inChannel = 0; inChannel < CHANNELS; ++inChannel) {
            sum += weightAt(outChannel, inChannel, offset)
                * readChannel(features, inChannel, place, imageSize, featureColumns);
        }
    }
    fragColor = vec4(sum, 0.0, 0.0, 1.0);
}
