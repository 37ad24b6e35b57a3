#version 330
#include "flat.glsl"

uniform sampler2D u_src;
uniform sampler2D u_kernel;
uniform int u_dstWidth;
out vec4 result;

const Shape S = Shape(1, 5, 4, 5);
#define DILATION_X 2
#define DILATION_Y 1

// zero outside
float get(int n, int c, int y, int x) {
    if (y < 0 || y >= S.h || x < 0 || x >= S.w) return 0.0;
    return at(u_src, 6, flatten(S, n, c, y, x));
}

float kernel(int c, int i, int j) {
    return at(u_kernel, 5, (c * 3 + i) * 3 + j);
}

float depthwise(int e) {
    int n, c, y, x;
    unflatten(S, e, n, c, y, x);
    float sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += kernel(c, i, j) * get(n, c, y + (i - 1) * DILATION_Y, x + (j - 1) * DILATION_X);
    return sum;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int first = (p.y * u_dstWidth + p.x) * 4;
    for (int lane = 0; lane < 4; lane++) {
        int i = first + lane;
        result[lane] = i < 100 ? depthwise(i) : 0.0;
    }
}
