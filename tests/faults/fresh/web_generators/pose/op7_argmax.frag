#version 300 es
// op 7: flat argmax of every heat map   [generated]
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D A;
uniform int A_width;
uniform int plane;
out vec4 outColor;

float getFlat(int i) {
    int t = i / 4;
    return texelFetch(A, ivec2(t % A_width, t / A_width), 0)[i % 4];
}

float argmax(int c) {
    int start = c * plane;
    int best = 0;
    float high = getFlat(start);
    for (int i = 1; i < plane; i++) {
        float v = getFlat(start + i);
        if (v > high) {
            high = v;
            best = i;
        }
    }
    return float(best);
}

void main() {
    outColor = vec4(argmax(0), argmax(1), argmax(2), argmax(3));
}
