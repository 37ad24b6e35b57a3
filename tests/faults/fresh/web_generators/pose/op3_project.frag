#version 300 es
// op 3: conv2d 1x1 + bias, 10 -> 5   [generated]
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D A;
uniform sampler2D W;
uniform sampler2D B;
uniform int A_width;
uniform int out_width;
out vec4 outColor;

#define PLANE 130
#define CIN 10
#define FETCH(tex, t, w) texelFetch(tex, ivec2((t) % (w), (t) / (w)), 0)

float at(vec4 v, int i) {
    return i == 0 ? v.r : i == 1 ? v.g : i == 2 ? v.b : v.a;
}

float element(int i) {
    int o = i / PLANE;
    int p = i % PLANE;
    float sum = 0.0;
    for (int c = 0; c < CIN; c++) {
        int a = c * PLANE + p;
        int k = o * CIN + c;
        sum += at(FETCH(A, a / 4, A_width), a % 4) * at(FETCH(W, k / 4, 13), k % 4);
    }
    return sum + at(FETCH(B, o / 4, 2), o % 4);
}

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    int i = (pos.x + pos.y * out_width) * 4;
    outColor.r = element(i);
    outColor.g = element(i + 1);
    outColor.b = element(i + 2);
    outColor.a = element(i + 3);
}
