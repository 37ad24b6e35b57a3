#version 330 core
// Softmax of the rows of a matrix whose elements lie flat, four a texel.

uniform sampler2D A;
uniform int u_rows;
uniform int u_length;   // elements of a row

out vec4 result;

float value(int index) {
    int width = textureSize(A, 0).x;
    int texel = index / 4;
    return texelFetch(A, ivec2(texel % width, texel / width), 0)[index % 4];
}

float softmax(int index) {
    int first = index / u_length * u_length;
    float largest = value(first);
    for (int i = 1; i < u_length; i++)
        largest = max(largest, value(first + i));
    float sum = 0.0;
    for (int i = 0; i < u_length; i++)
        sum += exp(value(first + i) - largest);
    return exp(value(index) - largest) / sum;
}

void main() {
    int width = textureSize(A, 0).x;
    int first = (int(gl_FragCoord.y) * width + int(gl_FragCoord.x)) * 4;
    result = vec4(0.0);
    for (int lane = 0; lane < 4; lane++)
        if (first + lane < u_rows * u_length) result[lane] = softmax(first + lane);
}
