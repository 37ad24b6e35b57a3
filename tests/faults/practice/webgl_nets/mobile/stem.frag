#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// stem: 3x3 convolution 6 -> 10, relu. four channels in one pixel

uniform sampler2D image;
uniform sampler2D weights;
uniform sampler2D biases;
layout(location = 0) out vec4 color;

const int W = 13, H = 9;
const int IN_GROUPS = 2, IN_COLS = 2;
const int OUT_COLS = 2;
const int WEIGHT_COLS = 5;

vec4 pixel(int group, int x, int y) {
    if (x < 0 || y < 0 || x >= W || y >= H) return vec4(0.0);
    return texelFetch(image, ivec2(group % IN_COLS * W + x, group / IN_COLS * H + y), 0);
}

vec4 kernel(int o, int group, int kx, int ky) {
    int k = o * IN_GROUPS + group;
    return texelFetch(weights, ivec2(k % WEIGHT_COLS * 3 + kx, k / WEIGHT_COLS * 3 + ky), 0);
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int x = p.x % W, y = p.y % H;
    int group = p.y / H * OUT_COLS + p.x / W;

    vec4 sum = texelFetch(biases, ivec2(group, 0), 0);
    for (int g = 0; g < IN_GROUPS; g++) {
        for (int ky = 0; ky < 3; ky++) {
            for (int kx = 0; kx < 3; kx++) {
                vec4 v = pixel(g, x + kx - 1, y + ky - 1);
                sum.r += dot(v, kernel(group * 4 + 0, g, kx, ky));
                sum.g += dot(v, kernel(group * 4 + 1, g, kx, ky));
                sum.b += dot(v, kernel(group * 4 + 2, g, kx, ky));
                sum.a += dot(v, kernel(group * 4 + 3, g, kx, ky));
            }
        }
    }
    color = max(sum, 0.0);
}
