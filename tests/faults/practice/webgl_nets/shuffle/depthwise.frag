#version 330
#include "net.glsl"

#define K 3
#define STRIDE 2
#define PAD 1
#define EPSILON 0.001

uniform sampler2D tex_x;
uniform sampler2D tex_w;
uniform sampler2D tex_scale;
uniform sampler2D tex_shift;
uniform sampler2D tex_mean;
uniform sampler2D tex_var;
out float y;

#define TAP(i, j) { \
    int yy = row * STRIDE + (i) - PAD; \
    int xx = column * STRIDE + (j) - PAD; \
    if (!OUTSIDE(yy, H_X) && !OUTSIDE(xx, W_X)) \
        sum += FETCH(tex_x, c, yy, xx, H_X) * FETCH(tex_w, c, i, j, K); \
}

void main() {
    int c = CHANNEL(H_LOW), row = ROW(H_LOW), column = COLUMN;
    float sum = 0.0;
    TAP(0, 0) TAP(0, 1) TAP(0, 2)
    TAP(1, 0) TAP(1, 1) TAP(1, 2)
    TAP(2, 0) TAP(2, 1) TAP(2, 2)
    float unit = (sum - VEC(tex_mean, c)) * inversesqrt(VEC(tex_var, c) + EPSILON);
    y = unit * VEC(tex_scale, c) + VEC(tex_shift, c);
}
