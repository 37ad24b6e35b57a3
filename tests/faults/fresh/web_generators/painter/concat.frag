#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D A;
uniform sampler2D B;
uniform int rowsOfA;
uniform int rowsPerChannel;
out vec4 outputColor;

void main() {
    int channel = int(gl_FragCoord.y) / rowsPerChannel;
    int inner = int(gl_FragCoord.y) % rowsPerChannel;
    int col = int(gl_FragCoord.x);
    int row = channel * rowsPerChannel + inner;
    if (row < rowsOfA) {
        outputColor = texelFetch(A, ivec2(col, row), 0);
    } else {
        outputColor = texelFetch(B, ivec2(col, row - rowsOfA), 0);
    }
}
