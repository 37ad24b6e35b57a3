#version 300 es
// op 2: depthwise conv2d 3x3 + bias + relu6   [generated]
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D A;
uniform sampler2D W;
uniform sampler2D B;
uniform int A_width;
uniform ivec3 A_shape;
uniform int out_width;
uniform ivec3 out_shape;
uniform ivec2 stride;
uniform ivec2 pad;
out vec4 outColor;

float getA(int c, int y, int x) {
    if (y < 0 || y >= A_shape.y || x < 0 || x >= A_shape.z) return 0.0;
    int i = (c * A_shape.y + y) * A_shape.z + x;
    vec4 v = texelFetch(A, ivec2((i >> 2) % A_width, (i >> 2) / A_width), 0);
    return v[i & 3];
}

float getW(int c, int ky, int kx) {
    int i = c * 9 + ky * 3 + kx;
    return texelFetch(W, ivec2(i >> 2, 0), 0)[i & 3];
}

void main() {
    int base = (int(gl_FragCoord.y) * out_width + int(gl_FragCoord.x)) << 2;
    float result[4];
    for (int j = 0; j < 4; j++) {
        int i = base + j;
        int c = i / (out_shape.y * out_shape.z);
        int rest = i - c * out_shape.y * out_shape.z;
        int y = (rest / out_shape.z) * stride.y - pad.y;
        int x = (rest % out_shape.z) * stride.x - pad.x;
        float sum = texelFetch(B, ivec2(c >> 2, 0), 0)[c & 3];
        sum += getA(c, y, x) * getW(c, 0, 0);
        sum += getA(c, y, x + 1) * getW(c, 0, 1);
        sum += getA(c, y, x + 2) * getW(c, 0, 2);
        sum += getA(c, y + 1, x) * getW(c, 1, 0);
        sum += getA(c, y + 1, x + 1) * getW(c, 1, 1);
        sum += getA(c, y + 1, x + 2) * getW(c, 1, 2);
        sum += getA(c, y + 2, x) * getW(c, 2, 0);
        sum += getA(c, y + 2, x + 1) * getW(c, 2, 1);
        sum += getA(c, y + 2, x + 2) * getW(c, 2, 2);
        result[j] = clamp(sum, 0.0, 6.0);
    }
    outColor = vec4(result[0], result[1], result[2], result[3]);
}
