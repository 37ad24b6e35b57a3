#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// Three groups of two inputs and three outputs, borders mirrored; output k of group g becomes channel 3 k + g.
uniform sampler2D t_X;      // 6 channels of 10 x 8, three across
uniform sampler2D t_W;      // 9 blocks, three across, of two kernels side by side
uniform sampler2D t_B;

out vec4 Y;

const int W = 10;
const int H = 8;

int mirror(int i, int n) {
    i = abs(i);
    return i < n ? i : 2 * n - 2 - i;
}

void main() {
    int gx = int(gl_FragCoord.x), gy = int(gl_FragCoord.y);
    int channel = gy / H * 3 + gx / W;
    int x = gx % W, y = gy % H;

    int group = channel % 3;
    int o = group * 3 + channel / 3;

    float s = 0.0;
    for (int j = 0; j < 2; j++) {
        int i = group * 2 + j;
        ivec2 corner = ivec2(i % 3 * W, i / 3 * H);
        ivec2 kernel = ivec2((o % 3 * 2 + j) * 3, o / 3 * 3);
        for (int n = 0; n < 9; n++) {
            ivec2 tap = ivec2(n % 3, n / 3);
            ivec2 from = ivec2(mirror(x + tap.x - 1, W), mirror(y + tap.y - 1, H));
            s += texelFetch(t_X, corner + from, 0).r * texelFetch(t_W, kernel + tap, 0).r;
        }
    }
    Y = vec4(s + texelFetch(t_B, ivec2(o, 0), 0).r);
}
