#version 330
#include "flat.glsl"

uniform sampler2D u_src;
uniform sampler2D u_weights;
uniform sampler2D u_offsets;
uniform int u_dstWidth;
out vec4 result;

const Shape SRC = Shape(1, 24, 4, 5);
const Shape DST = Shape(1, 5, 4, 5);

float get(int n, int c, int y, int x) { return at(u_src, 11, flatten(SRC, n, c, y, x)); }
float weight(int o, int c) { return at(u_weights, 7, o * SRC.c + c); }
float offset(int o) { return at(u_offsets, 2, o); }

float swish(float v) {
    return v / (1.0 + exp(-v));
}

float pointwise(int i) {
    int n, o, y, x;
    unflatten(DST, i, n, o, y, x);
    float sum = offset(o);
    for (int c = 0; c < SRC.c; c++)
        sum += weight(o, c) * get(n, c, y, x);
    return swish(sum);
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int first = (p.y * u_dstWidth + p.x) * 4;
    for (int lane = 0; lane < 4; lane++) {
        int i = first + lane;
        result[lane] = i < 100 ? pointwise(i) : 0.0;
    }
}
