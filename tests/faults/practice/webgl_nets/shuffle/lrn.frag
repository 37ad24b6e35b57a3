#version 330
#include "net.glsl"

#define SIZE 5
#define ALPHA 0.8
#define BETA 0.75
#define BIAS 1.5

uniform sampler2D tex_x;
out float y;

#define AT(c) FETCH(tex_x, c, row, column, H_X)

void main() {
    int row = ROW(H_X), column = COLUMN, channel = CHANNEL(H_X);
    int from = max(channel - SIZE / 2, 0);
    int to = min(channel + SIZE / 2, C_X - 1);
    float squares = 0.0;
    for (int c = from; c <= to; c++) {
        squares += AT(c) * AT(c);
    }
    y = AT(channel) * pow(BIAS + ALPHA / float(SIZE) * squares, -BETA);
}
