#version 330 core
// Convolution 3x3, bias and ReLU for a batch; rows below each other, one value a texel.

uniform sampler2D t_x;
uniform sampler2D t_w;
uniform sampler2D t_b;

const ivec3 X = ivec3(2, 6, 8);      // channels, height, width
const int O = 4;

out float y;

float x_at(int n, int c, int h, int w) {
    return h < 0 || w < 0 || h >= X.y || w >= X.z ? 0.0 : texelFetch(t_x, ivec2(w, (n * X.x + c) * X.y + h), 0).r;
}

float w_at(int o, int c, int p, int q) {
    return texelFetch(t_w, ivec2(q, (o * X.x + c) * 3 + p), 0).r;
}

float convolve(int n, int o, int h, int w) {
    float s = 0.0;
    for (int c = 0; c < X.x; c++)
        for (int t = 0; t < 9; t++)
            s += x_at(n, c, h + t / 3 - 1, w + t % 3 - 1) * w_at(o, c, t / 3, t % 3);
    return s;
}

void main() {
    int line = int(gl_FragCoord.y);
    int plane = line / X.y;
    int n = plane / O;
    int o = plane - n * O;
    float s = convolve(n, o, line % X.y, int(gl_FragCoord.x));
    y = max(s + texelFetch(t_b, ivec2(o, 0), 0).r, 0.0);
}
