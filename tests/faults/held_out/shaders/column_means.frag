#version 330 core
// Mean over the rows of a picture, four elements of flat memory a texel.

uniform sampler2D memory;
uniform ivec3 dims;      // planes, rows, columns
uniform int texels;      // in a row of the result

out vec4 means;

float at(int index) {
    int side = textureSize(memory, 0).x;
    int texel = index >> 2;
    return texelFetch(memory, ivec2(texel % side, texel / side), 0)[index & 3];
}

float mean(int index) {
    int plane = index / dims.z;
    if (plane >= dims.x) return 0.0;
    int column = index - plane * dims.z;
    float total = 0.0;
    int row = 0;
    while (row < dims.y) {
        total += at((plane * dims.y + row) * dims.z + column);
        row++;
    }
    return total / float(dims.y);
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int first = (here.y * texels + here.x) * 4;
    for (int lane = 0; lane < 4; lane++) means[lane] = mean(first + lane);
}
