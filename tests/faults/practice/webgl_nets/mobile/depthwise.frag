#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// a 3x3 kernel for every channel, bias, relu6. weights: three rows of three for each channel

uniform sampler2D image;
uniform sampler2D weights;
uniform sampler2D biases;
layout(location = 0) out vec4 color;

const int W = 7, H = 5, COLS = 2;

vec4 tap(int channel, int i) {
    return vec4(
        texelFetch(weights, ivec2(i % 3, (channel + 0) * 3 + i / 3), 0).r,
        texelFetch(weights, ivec2(i % 3, (channel + 1) * 3 + i / 3), 0).r,
        texelFetch(weights, ivec2(i % 3, (channel + 2) * 3 + i / 3), 0).r,
        texelFetch(weights, ivec2(i % 3, (channel + 3) * 3 + i / 3), 0).r);
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    ivec2 tile = ivec2(p.x / W, p.y / H);
    ivec2 corner = tile * ivec2(W, H);
    int x = p.x - corner.x, y = p.y - corner.y;
    int group = tile.y * COLS + tile.x;

    vec4 sum = vec4(0.0);
    for (int i = 0; i < 9; i++) {
        int sx = x + i % 3 - 1;
        int sy = y + i / 3 - 1;
        if (sx < 0 || sx >= W || sy < 0 || sy >= H) continue;
        sum += texelFetch(image, corner + ivec2(sx, sy), 0) * tap(group * 4, i);
    }
    sum += texelFetch(biases, ivec2(group, 0), 0);
    color = clamp(sum, 0.0, 6.0);
}
