#version 330 core
// Gradient of a softmax of rows that lie flat, four elements a texel: y (dy - sum of dy y).

uniform sampler2D Y;
uniform sampler2D DY;
uniform int u_rows;
uniform int u_length;

out vec4 result;

float at(sampler2D data, int index) {
    int width = textureSize(data, 0).x;
    return texelFetch(data, ivec2(index / 4 % width, index / 4 / width), 0)[index % 4];
}

float gradient(int index) {
    int first = index / u_length * u_length;
    float sum = 0.0;
    for (int i = first; i < first + u_length; i++)
        sum += at(DY, i) * at(Y, i);
    return at(Y, index) * (at(DY, index) - sum);
}

void main() {
    int first = (int(gl_FragCoord.y) * textureSize(Y, 0).x + int(gl_FragCoord.x)) * 4;
    result = vec4(0.0);
    for (int lane = 0; lane < 4; lane++)
        if (first + lane < u_rows * u_length) result[lane] = gradient(first + lane);
}
