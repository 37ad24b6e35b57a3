#version 330
#include "flat.glsl"

uniform sampler2D u_src;
uniform int u_dstWidth;
out vec4 result;

const Shape SRC = Shape(1, 5, 4, 5);
const Shape DST = Shape(1, 5, 8, 15);

float nearest(int i) {
    int n, c, y, x;
    unflatten(DST, i, n, c, y, x);
    return at(u_src, 8, flatten(SRC, n, c, y / 2, x / 3));
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int first = (p.y * u_dstWidth + p.x) * 4;
    for (int lane = 0; lane < 4; lane++) {
        int i = first + lane;
        result[lane] = i < 600 ? nearest(i) : 0.0;
    }
}
