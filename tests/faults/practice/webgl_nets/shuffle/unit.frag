#version 330
#include "net.glsl"

// Both branches behind each other, then ReLU.

uniform sampler2D tex_left;
uniform sampler2D tex_right;
out float y;

void main() {
    int c = CHANNEL(H_LOW), row = ROW(H_LOW), column = COLUMN;
    float x;
    if (c < C_X)
        x = FETCH(tex_left, c, row, column, H_LOW);
    else
        x = FETCH(tex_right, c - C_X, row, column, H_LOW);
    y = max(x, 0.0);
}
