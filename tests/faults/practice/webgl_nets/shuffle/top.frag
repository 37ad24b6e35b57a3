#version 330
#include "net.glsl"

// The largest of each channel, first of each row.

uniform sampler2D tex_x;
out float y;

void main() {
    int c = int(gl_FragCoord.y);
    float best = FETCH(tex_x, c, 0, 0, H_LOW);
    for (int row = 0; row < H_LOW; row++) {
        float of_row = FETCH(tex_x, c, row, 0, H_LOW);
        for (int column = 1; column < W_LOW; column++)
            of_row = max(of_row, FETCH(tex_x, c, row, column, H_LOW));
        best = max(best, of_row);
    }
    y = best;
}
