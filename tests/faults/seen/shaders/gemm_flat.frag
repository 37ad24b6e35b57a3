#version 330 core
// A times B plus c, matrices flat and four elements a texel.

uniform sampler2D A;
uniform sampler2D B;
uniform sampler2D C;
uniform int u_inner;
uniform int u_columns;
uniform int u_count;      // elements of the result
uniform int u_width;      // texels in a row of the result

out vec4 result;

float element(sampler2D matrix, int index) {
    int width = textureSize(matrix, 0).x;
    int texel = index / 4;
    return texelFetch(matrix, ivec2(texel % width, texel / width), 0)[index % 4];
}

float multiply(int index) {
    int row = index / u_columns;
    int column = index % u_columns;
    float sum = 0.0;
    for (int k = 0; k < u_inner; k++)
        sum += element(A, row * u_inner + k) * element(B, k * u_columns + column);
    return sum + element(C, column);
}

void main() {
    int first = (int(gl_FragCoord.y) * u_width + int(gl_FragCoord.x)) * 4;
    for (int lane = 0; lane < 4; lane++)
        result[lane] = first + lane < u_count ? multiply(first + lane) : 0.0;
}
