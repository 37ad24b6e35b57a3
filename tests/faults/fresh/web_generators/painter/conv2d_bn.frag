#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D scale;
uniform sampler2D shift;
uniform sampler2D mean;
uniform sampler2D variance;
uniform ivec3 xShape;
uniform ivec3 outShape;
uniform float varianceEpsilon;
out vec4 outputColor;

float getX(int d, int row, int col) {
    if (row < 0 || col < 0 || row >= xShape.y || col >= xShape.z) {
        return 0.;
    }
    vec4 block = texelFetch(x, ivec2(col >> 1, d * (xShape.y >> 1) + (row >> 1)), 0);
    vec2 pair = (row & 1) == 0 ? block.rg : block.ba;
    return (col & 1) == 0 ? pair.x : pair.y;
}

float getW(int r, int c, int d1, int d2) {
    return texelFetch(W, ivec2(d2, (r * 4 + c) * xShape.x + d1), 0).r;
}

float at(sampler2D vector, int d) {
    return texelFetch(vector, ivec2(d, 0), 0).r;
}

float compute(int d2, int row, int col) {
    if (row >= outShape.y || col >= outShape.z) {
        return 0.;
    }
    float dotProd = 0.;
    for (int d1 = 0; d1 < xShape.x; d1++) {
        for (int wR = 0; wR < 4; wR++) {
            for (int wC = 0; wC < 4; wC++) {
                dotProd += getX(d1, row * 2 + wR - 1, col * 2 + wC - 1) * getW(wR, wC, d1, d2);
            }
        }
    }
    float inv = at(scale, d2) * inversesqrt(at(variance, d2) + varianceEpsilon);
    float normalized = (dotProd - at(mean, d2)) * inv + at(shift, d2);
    return max(normalized, 0.);
}

void main() {
    int texelRow = int(gl_FragCoord.y);
    int rowsPerChannel = (outShape.y + 1) / 2;
    int d2 = texelRow / rowsPerChannel;
    int row = (texelRow % rowsPerChannel) * 2;
    int col = int(gl_FragCoord.x) * 2;
    for (int i = 0; i < 4; i++) {
        outputColor[i] = compute(d2, row + i / 2, col + i % 2);
    }
}
