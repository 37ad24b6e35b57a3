#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D bias;
uniform ivec3 xShape;
uniform ivec3 outShape;
uniform float alpha;
out vec4 outputColor;

float getChannel(vec4 frag, vec2 innerDims) {
    vec2 modCoord = mod(innerDims, 2.);
    return modCoord.x == 0. ?
        (modCoord.y == 0. ? frag.r : frag.g) :
        (modCoord.y == 0. ? frag.b : frag.a);
}

float getX(int d, int row, int col) {
    if (row < 0 || row >= xShape.y || col < 0 || col >= xShape.z) {
        return 0.;
    }
    int texelRow = d * ((xShape.y + 1) / 2) + row / 2;
    return getChannel(texelFetch(x, ivec2(col / 2, texelRow), 0), vec2(row, col));
}

float getW(int r, int c, int d1, int d2) {
    return texelFetch(W, ivec2(d2, (r * 4 + c) * xShape.x + d1), 0).r;
}

float conv(int d2, int row, int col) {
    int xRCorner = row * 2 - 1;
    int xCCorner = col * 2 - 1;
    float dotProd = 0.;
    for (int wR = 0; wR < 4; wR++) {
        for (int wC = 0; wC < 4; wC++) {
            for (int d1 = 0; d1 < xShape.x; d1++) {
                dotProd += getX(d1, xRCorner + wR, xCCorner + wC) * getW(wR, wC, d1, d2);
            }
        }
    }
    float result = dotProd + texelFetch(bias, ivec2(d2, 0), 0).r;
    return result < 0. ? alpha * result : result;
}

void main() {
    ivec2 resTexRC = ivec2(gl_FragCoord.yx);
    int rowsPerChannel = (outShape.y + 1) / 2;
    int d2 = resTexRC.x / rowsPerChannel;
    int row = (resTexRC.x - d2 * rowsPerChannel) * 2;
    int col = resTexRC.y * 2;
    outputColor = vec4(
        conv(d2, row, col),
        conv(d2, row, col + 1),
        conv(d2, row + 1, col),
        conv(d2, row + 1, col + 1));
}
