#version 300 es
// the last transposed layer by its four phases: an output pixel has two taps a side
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D W;
uniform sampler2D bias;
out vec4 outputColor;

#define IN_C 10
#define OUT_C 3
#define IN_H 10
#define IN_W 14

float getX(int d, int row, int col) {
    if (row < 0 || row >= IN_H || col < 0 || col >= IN_W) return 0.;
    vec4 block = texelFetch(x, ivec2(col / 2, d * (IN_H / 2) + row / 2), 0);
    switch ((row % 2) * 2 + col % 2) {
        case 0: return block.r;
        case 1: return block.g;
        case 2: return block.b;
        default: return block.a;
    }
}

float getW(int d1, int d2, int r, int c) {
    return texelFetch(W, ivec2(c, (d1 * OUT_C + d2) * 4 + r), 0).r;
}

float phase(int d2, int row, int col, int phaseR, int phaseC) {
    float sum = 0.;
    for (int d1 = 0; d1 < IN_C; d1++) {
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                float v = getX(d1, row + phaseR - i, col + phaseC - j);
                sum += v * getW(d1, d2, 1 - phaseR + 2 * i, 1 - phaseC + 2 * j);
            }
        }
    }
    return sum;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int d2 = texel.y / IN_H;
    int row = texel.y % IN_H;
    int col = texel.x;
    vec4 sums = vec4(
        phase(d2, row, col, 0, 0),
        phase(d2, row, col, 0, 1),
        phase(d2, row, col, 1, 0),
        phase(d2, row, col, 1, 1));
    outputColor = tanh(sums + texelFetch(bias, ivec2(d2, 0), 0).r);
}
