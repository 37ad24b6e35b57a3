#version 330 core
// 3x3 over 15 channels that are never put together: 0 to 8 from below, doubled on the way, 9 to 14 from the same floor.
uniform sampler2D t_BELOW;    // 9 channels of 5 x 6, three across
uniform sampler2D t_SAME;     // 6 channels of 10 x 12, three across
uniform sampler2D t_W;        // 5 blocks, three across, of 15 kernels, four across
uniform sampler2D t_B;

out float Y;

const ivec2 SIZE = ivec2(10, 12);
const int FROM_BELOW = 9;

float joined(int c, ivec2 p) {
    if (c < FROM_BELOW) return texelFetch(t_BELOW, ivec2(c % 3, c / 3) * SIZE / 2 + p / 2, 0).r;
    c -= FROM_BELOW;
    return texelFetch(t_SAME, ivec2(c % 3, c / 3) * SIZE + p, 0).r;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / SIZE, p = here % SIZE;
    int o = tile.x + 3 * tile.y;
    if (o >= 5) {
        Y = 0.0;
        return;
    }
    float s = 0.0;
    for (int i = 0; i < 15; ++i) {
        ivec2 k = (ivec2(o % 3, o / 3) * 4 + ivec2(i % 4, i / 4)) * 3;
        for (int v = 0; v < 3; ++v) {
            int y = p.y + v - 1;
            if (y < 0 || y >= SIZE.y) continue;
            for (int u = 0; u < 3; ++u) {
                int x = p.x + u - 1;
                if (x < 0 || x >= SIZE.x) continue;
                s += joined(i, ivec2(x, y)) * texelFetch(t_W, k + ivec2(u, v), 0).r;
            }
        }
    }
    Y = max(s + texelFetch(t_B, ivec2(o, 0), 0).r, 0.0);
}
