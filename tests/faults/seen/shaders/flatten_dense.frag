#version 330 core
// A picture of three channels, its elements in order, through a dense layer; leaky ReLU.

uniform sampler2D t_features;
uniform sampler2D t_w;
uniform sampler2D t_b;

const int C = 3;
const int H = 4;
const int W = 5;
const float LEAK = 0.05;

out float y;

float feature(int c, int h, int w) {
    return texelFetch(t_features, ivec2(c % 2 * W + w, c / 2 * H + h), 0).r;
}

void main() {
    int j = int(gl_FragCoord.x);
    float total = texelFetch(t_b, ivec2(j, 0), 0).r;
    for (int c = 0; c < C; c++)
        for (int h = 0; h < H; h++)
            for (int w = 0; w < W; w++) {
                int k = (c * H + h) * W + w;
                total += feature(c, h, w) * texelFetch(t_w, ivec2(j, k), 0).r;
            }
    y = total < 0.0 ? LEAK * total : total;
}
