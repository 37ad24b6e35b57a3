#version 330 core
// Two pictures' channels one after the other: rows of the first, then rows of the second.

uniform sampler2D A;
uniform sampler2D B;

const int HEIGHT = 4;
const int FIRST = 3;     // channels of A

out float joined;

float getA(int channel, int row, int column) { return texelFetch(A, ivec2(column, channel * HEIGHT + row), 0).r; }
float getB(int channel, int row, int column) { return texelFetch(B, ivec2(column, channel * HEIGHT + row), 0).r; }

void main() {
    int line = int(gl_FragCoord.y);
    int column = int(gl_FragCoord.x);
    int channel = line / HEIGHT;
    int row = line - channel * HEIGHT;
    joined = channel < FIRST ? getA(channel, row, column) : getB(channel - FIRST, row, column);
}
