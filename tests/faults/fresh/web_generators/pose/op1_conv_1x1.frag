#version 300 es
// op 1: conv2d 1x1 + bias + relu6   [generated]
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D A;
uniform sampler2D W;
uniform sampler2D B;
uniform int A_width;
uniform ivec3 A_shape;
uniform int W_width;
uniform int out_width;
uniform ivec3 out_shape;
out vec4 outColor;

float lane(vec4 v, int i) {
    switch (i) {
        case 0: return v.x;
        case 1: return v.y;
        case 2: return v.z;
        default: return v.w;
    }
}

float getA(int c, int y, int x) {
    int i = (c * A_shape.y + y) * A_shape.z + x;
    int t = i / 4;
    return lane(texelFetch(A, ivec2(t % A_width, t / A_width), 0), i % 4);
}

float getW(int o, int c) {
    int i = o * A_shape.x + c;
    int t = i / 4;
    return lane(texelFetch(W, ivec2(t % W_width, t / W_width), 0), i % 4);
}

float getB(int o) {
    return lane(texelFetch(B, ivec2(o / 4, 0), 0), o % 4);
}

float compute(int i) {
    int x = i % out_shape.z;
    int y = (i / out_shape.z) % out_shape.y;
    int o = i / (out_shape.z * out_shape.y);
    float dot_ = 0.0;
    for (int c = 0; c < A_shape.x; c++) {
        dot_ += getA(c, y, x) * getW(o, c);
    }
    return min(max(dot_ + getB(o), 0.0), 6.0);
}

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    int i = 4 * (pos.y * out_width + pos.x);
    outColor = vec4(compute(i), compute(i + 1), compute(i + 2), compute(i + 3));
}
