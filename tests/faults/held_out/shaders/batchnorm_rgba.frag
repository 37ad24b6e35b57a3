#version 300 es
// Batch normalisation and a ReLU on four channels a texel, for a batch.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D image;
uniform sampler2D gamma;
uniform sampler2D beta;
uniform sampler2D average;
uniform sampler2D spread;    // the variance

const ivec2 tileSize = ivec2(5, 4);
const int tileColumns = 2;
const int groups = 2;        // of four channels in a picture
const float epsilon = 0.01;

out vec4 color;

vec4 four(sampler2D values, int channel) {
    vec4 found = vec4(0.0);
    for (int lane = 0; lane < 4; lane++)
        found[lane] = texelFetch(values, ivec2(min(channel + lane, 5), 0), 0).r;
    return found;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = texel.y / tileSize.y * tileColumns + texel.x / tileSize.x;
    int channel = tile % groups * 4;
    vec4 x = texelFetch(image, texel, 0);
    vec4 scaled = (x - four(average, channel)) * inversesqrt(four(spread, channel) + epsilon) * four(gamma, channel);
    vec4 shifted = scaled + four(beta, channel);
    color = max(shifted, vec4(0.0));
}
