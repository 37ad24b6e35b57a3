#version 330
// ReflectionPad2d(2), Conv2d(3, 6, 5)

uniform sampler2D photo;
uniform sampler2D weights; // a row for each row of a kernel: (o * 3 + i) * 5 + y
uniform sampler2D biases;
uniform ivec2 imageSize;
uniform int photoColumns;
uniform int stemColumns;

layout(location = 0) out vec4 fragColor;

#include "tiles.glsl"

const int CHANNELS = 3;
const int KERNEL = 5;

float weightAt(int outChannel, int inChannel, int ky, int kx) {
    int row = (outChannel * CHANNELS + inChannel) * KERNEL + ky;
    return texelFetch(weights, ivec2(kx, row), 0).r;
}

void main() {
    ivec2 fragment = ivec2(gl_FragCoord.xy);
    int outChannel = tileIndex(fragment, imageSize, stemColumns);
    ivec2 centre = placeInTile(fragment, imageSize);

    float sum = 0.0;
    for (int inChannel = 0; inChannel < CHANNELS; ++inChannel) {
        for (int ky = 0; ky < KERNEL; ++ky) {
            for (int kx = 0; kx < KERNEL; ++kx) {
                ivec2 place = reflectPlace(centre + ivec2(kx, ky) - KERNEL / 2, imageSize);
                float value = readChannel(photo, inChannel, place, imageSize, photoColumns);
                sum += value * weightAt(outChannel, inChannel, ky, kx);
            }
        }
    }
    sum += texelFetch(biases, ivec2(outChannel, 0), 0).r;

    fragColor = vec4(sum, 0.0, 0.0, 1.0);
}
