#version 330
#include "net.glsl"

// 1x1 convolution in groups. GROUP_IN and GROUP_OUT are channels of one group; HEIGHT is that of both tensors.

uniform sampler2D tex_x;
uniform sampler2D tex_w;
uniform sampler2D tex_b;
out float y;

void main() {
    int o = CHANNEL(HEIGHT), row = ROW(HEIGHT), column = COLUMN;
    int group = o / GROUP_OUT;
    float sum = VEC(tex_b, o);
    for (int i = 0; i < GROUP_IN; i++) {
        float x = FETCH(tex_x, group * GROUP_IN + i, row, column, HEIGHT);
        float w = texelFetch(tex_w, ivec2(0, o * GROUP_IN + i), 0).r;
        sum += x * w;
    }
    y = sum;
}
