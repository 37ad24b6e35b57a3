#version 330
// Nearest upsampling by 2, ReflectionPad2d(1), Conv2d(9, 3, 3), then 0.6 tanh + 0.5

uniform sampler2D features;
uniform sampler2D weights; // a row for each row of a kernel: (o * 9 + i) * 3 + y
uniform sampler2D biases;
uniform ivec2 imageSize;
uniform ivec2 smallSize;
uniform int smallColumns;
uniform int paintColumns;

layout(location = 0) out vec4 fragColor;

#include "tiles.glsl"

const int CHANNELS = 9;

float upsampled(int channel, ivec2 place) {
    return readChannel(features, channel, place / 2, smallSize, smallColumns);
}

float weightAt(int outChannel, int inChannel, int ky, int kx) {
    return texelFetch(weights, ivec2(kx, (outChannel * CHANNELS + inChannel) * 3 + ky), 0).r;
}

void main() {
    ivec2 fragment = ivec2(gl_FragCoord.xy);
    int outChannel = tileIndex(fragment, imageSize, paintColumns);
    ivec2 centre = placeInTile(fragment, imageSize);

    float sum = texelFetch(biases, ivec2(outChannel, 0), 0).r;
    for (int ky = 0; ky < 3; ++ky) {
        for (int kx = 0; kx < 3; ++kx) {
            ivec2 place = reflectPlace(centre + ivec2(kx - 1, ky - 1), imageSize);
            for (int inChannel = 0; inChannel < CHANNELS; ++inChannel) {
                sum += upsampled(inChannel, place) * weightAt(outChannel, inChannel, ky, kx);
            }
        }
    }
    fragColor = vec4(0.6 * tanh(sum) + 0.5, 0.0, 0.0, 1.0);
}
