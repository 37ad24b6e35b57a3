#version 330
// Queries, keys and values of all channels by one 1x1 convolution: 30 tiles in six columns from 10 in four.
uniform sampler2D x;
uniform sampler2D weight;   // 30 rows of 10
uniform sampler2D bias;
uniform ivec2 tile;
out float y;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), slot = p / tile, at = p % tile;
    int o = slot.y * 6 + slot.x;
    float sum = texelFetch(bias, ivec2(o, 0), 0).r;
    for (int i = 0; i < 10; i++) {
        sum += texelFetch(x, ivec2(i % 4, i / 4) * tile + at, 0).r * texelFetch(weight, ivec2(i, o), 0).r;
    }
    y = sum;
}
