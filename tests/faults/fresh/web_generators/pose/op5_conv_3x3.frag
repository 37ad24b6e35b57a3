#version 300 es
// op 5: conv2d 3x3 same + bias   [generated]
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

float pick(vec4 v, int i) {
    return dot(v, vec4(i == 0, i == 1, i == 2, i == 3));
}

float getA(int c, int y, int x) {
    bool inside = y >= 0 && x >= 0 && y < A_shape.y && x < A_shape.z;
    int i = c * A_shape.y * A_shape.z + y * A_shape.z + x;
    ivec2 uv = ivec2((i / 4) % A_width, (i / 4) / A_width);
    return inside ? pick(texelFetch(A, uv, 0), i % 4) : 0.0;
}

float getW(int o, int c, int ky, int kx) {
    int i = ((o * A_shape.x + c) * 3 + ky) * 3 + kx;
    ivec2 uv = ivec2((i / 4) % W_width, (i / 4) / W_width);
    return pick(texelFetch(W, uv, 0), i % 4);
}

float compute(int i) {
    ivec3 at = ivec3(i / (out_shape.y * out_shape.z), (i / out_shape.z) % out_shape.y, i % out_shape.z);
    float value = pick(texelFetch(B, ivec2(0), 0), at.x);
    for (int ky = 0; ky < 3; ky++) {
        for (int kx = 0; kx < 3; kx++) {
            for (int c = 0; c < A_shape.x; c++) {
                value += getA(c, at.y + ky - 1, at.z + kx - 1) * getW(at.x, c, ky, kx);
            }
        }
    }
    return value;
}

void main() {
    int i = int(gl_FragCoord.x) + out_width * int(gl_FragCoord.y);
    for (int j = 0; j < 4; j++) {
        outColor[j] = compute(4 * i + j);
    }
}
