#version 300 es
// op 6: soft argmax of every heat map, x and y from 0 to 1   [generated]
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D A;
uniform int A_width;
uniform ivec3 A_shape;
out vec4 outColor;

float getA(int c, int y, int x) {
    int i = (c * A_shape.y + y) * A_shape.z + x;
    int t = i / 4;
    return texelFetch(A, ivec2(t % A_width, t / A_width), 0)[i % 4];
}

vec2 softArgmax(int c) {
    float top = getA(c, 0, 0);
    for (int y = 0; y < A_shape.y; y++) {
        for (int x = 0; x < A_shape.z; x++) {
            top = max(top, getA(c, y, x));
        }
    }
    float total = 0.0;
    vec2 sum = vec2(0.0);
    for (int y = 0; y < A_shape.y; y++) {
        for (int x = 0; x < A_shape.z; x++) {
            float e = exp(getA(c, y, x) - top);
            vec2 centre = (vec2(x, y) + 0.5) / vec2(A_shape.zy);
            sum += e * centre;
            total += e;
        }
    }
    return sum / total;
}

void main() {
    int first = int(gl_FragCoord.x) * 2;
    outColor = vec4(softArgmax(first), softArgmax(first + 1));
}
