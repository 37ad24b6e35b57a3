#version 330 core
// MaxPool 2x2 on 2x2 blocks in RGBA: a window is one texel.

uniform sampler2D A;
uniform ivec2 u_block_rows;   // rows of blocks in a channel: of A, of the result

out vec4 setOutput;

vec4 getBlock(int channel, int row, int column) {
    return texelFetch(A, ivec2(column, channel * u_block_rows.x + row), 0);
}

float largest(vec4 q) {
    return max(max(q.r, q.g), max(q.b, q.a));
}

void main() {
    ivec2 rc = ivec2(gl_FragCoord.yx);
    int channel = rc.x / u_block_rows.y;
    int row = rc.x % u_block_rows.y * 2;
    int column = rc.y * 2;

    setOutput = vec4(
        largest(getBlock(channel, row, column)),
        largest(getBlock(channel, row, column + 1)),
        largest(getBlock(channel, row + 1, column)),
        largest(getBlock(channel, row + 1, column + 1)));
}
