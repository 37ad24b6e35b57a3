#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D bias;
uniform ivec3 xShape;
uniform ivec3 outShape;
out vec4 outputColor;

const int filterHeight = 4;
const int filterWidth = 4;
const int pad = 1;

float getX(int d, int row, int col) {
    vec4 block = texelFetch(x, ivec2(col / 2, d * 3 + row / 2), 0);
    return block[(row % 2) * 2 + col % 2];
}

float getW(int d1, int d2, int r, int c) {
    return texelFetch(W, ivec2(c, (d1 * outShape.x + d2) * filterHeight + r), 0).r;
}

float compute(int d2, int row, int col) {
    float dotProd = 0.;
    for (int wR = 0; wR < filterHeight; wR++) {
        int dyR = row + pad - wR;
        if (dyR < 0 || dyR % 2 != 0 || dyR / 2 >= xShape.y) {
            continue;
        }
        for (int wC = 0; wC < filterWidth; wC++) {
            int dyC = col + pad - wC;
            if (dyC < 0 || dyC % 2 != 0 || dyC / 2 >= xShape.z) {
                continue;
            }
            for (int d1 = 0; d1 < xShape.x; d1++) {
                dotProd += getX(d1, dyR / 2, dyC / 2) * getW(d1, d2, wR, wC);
            }
        }
    }
    return max(dotProd + texelFetch(bias, ivec2(d2, 0), 0).r, 0.);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int d2 = texel.y / 5;
    int row = (texel.y % 5) * 2;
    int col = texel.x * 2;
    outputColor.r = compute(d2, row, col);
    outputColor.g = compute(d2, row, col + 1);
    outputColor.b = compute(d2, row + 1, col);
    outputColor.a = compute(d2, row + 1, col + 1);
}
