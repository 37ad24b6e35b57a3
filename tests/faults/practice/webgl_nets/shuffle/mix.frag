#version 330
#include "net.glsl"

// The shuffle: one channel of each group in turn.

#define PER_GROUP (C_MID / GROUPS)

uniform sampler2D tex_x;
out float y;

void main() {
    int c = CHANNEL(H_X);
    int from = c % GROUPS * PER_GROUP + c / GROUPS;
    y = FETCH(tex_x, from, ROW(H_X), COLUMN, H_X);
}
