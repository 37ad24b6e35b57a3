#version 300 es
// Dense layer on flat memory: rows of x times rows of w, four products at once.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform sampler2D w;
uniform sampler2D b;

const int QUADS = 3;     // texels in a row of x and of w
const int COLUMNS = 6;
const int WIDTH = 3;     // texels in a row of the result

out vec4 result;

vec4 quad(sampler2D data, int texel) {
    int width = textureSize(data, 0).x;
    return texelFetch(data, ivec2(texel % width, texel / width), 0);
}

float dense(int index) {
    int i = index / COLUMNS;
    int j = index % COLUMNS;
    vec4 sum = vec4(0.0);
    for (int k = 0; k < QUADS; k++)
        sum += quad(x, i * QUADS + k) * quad(w, j * QUADS + k);
    return dot(sum, vec4(1.0)) + quad(b, j >> 2)[j & 3];
}

void main() {
    int first = (int(gl_FragCoord.y) * WIDTH + int(gl_FragCoord.x)) << 2;
    result = vec4(dense(first), dense(first + 1), dense(first + 2), dense(first + 3));
}
