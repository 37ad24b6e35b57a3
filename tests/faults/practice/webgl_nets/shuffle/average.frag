#version 330
#include "net.glsl"

// The mean of 3x3, of those texels that there are.

#define STRIDE 2

uniform sampler2D tex_x;
out float y;

void main() {
    int c = CHANNEL(H_LOW), row = ROW(H_LOW), column = COLUMN;
    int top = row * STRIDE - 1, left = column * STRIDE - 1;
    int y0 = max(top, 0), y1 = min(top + 3, H_X);
    int x0 = max(left, 0), x1 = min(left + 3, W_X);
    float sum = 0.0;
    for (int yy = y0; yy < y1; yy++)
        for (int xx = x0; xx < x1; xx++)
            sum += FETCH(tex_x, c, yy, xx, H_X);
    y = sum / float((y1 - y0) * (x1 - x0));
}
