#version 330 core
// Convolution 3x3, bias and leaky ReLU of two pictures; its nine taps are written out by macros.

uniform sampler2D u_x;
uniform sampler2D u_w;
uniform sampler2D u_b;

#define W 7
#define H 6
#define IN 3
#define OUT 4

#define TILE(k, columns, size) (ivec2((k) % (columns), (k) / (columns)) * (size))
#define INSIDE(p) ((p).x >= 0 && (p).y >= 0 && (p).x < W && (p).y < H)
#define FETCH(p) texelFetch(u_x, TILE(n * IN + i, 3, ivec2(W, H)) + (p), 0).r
#define PIXEL(p) (INSIDE(p) ? FETCH(p) : 0.0)
#define WEIGHT(u, v) texelFetch(u_w, TILE(o, 2, 6) + TILE(i, 2, 3) + ivec2(u, v), 0).r
#define TAP(u, v) PIXEL(xy + ivec2(u - 1, v - 1)) * WEIGHT(u, v)

out float y;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 xy = texel % ivec2(W, H);
    int tile = texel.y / H * 3 + texel.x / W;
    int n = tile / OUT;
    int o = tile % OUT;

    float sum = texelFetch(u_b, ivec2(o, 0), 0).r;
    for (int i = 0; i < IN; i++) {
        sum += TAP(0, 0) + TAP(1, 0) + TAP(2, 0);
        sum += TAP(0, 1) + TAP(1, 1) + TAP(2, 1);
        sum += TAP(0, 2) + TAP(1, 2) + TAP(2, 2);
    }
    y = sum > 0.0 ? sum : 0.2 * sum;
}
