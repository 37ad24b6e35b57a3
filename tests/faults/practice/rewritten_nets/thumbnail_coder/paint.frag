#version 330 core
// Back to three colours: transposed 3x3, stride 2, one column more at the right; then between 0 and 1.
uniform sampler2D t_X;      // 8 channels of 9 x 7, three across
uniform sampler2D t_W;      // 8 blocks, three across, of 3 kernels, two across
uniform sampler2D t_B;

out float Y;

const ivec2 SMALL = ivec2(9, 7);
const ivec2 LARGE = ivec2(18, 13);

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / LARGE;
    ivec2 p = here % LARGE + 1;
    int o = tile.y * 2 + tile.x;
    float s = 0.0;
    if (o < 3) {
        for (int i = 0; i < 8; i++) {
            ivec2 corner = ivec2(i % 3, i / 3) * SMALL;
            ivec2 block = ivec2(i % 3, i / 3) * 6 + ivec2(o % 2, o / 2) * 3;
            for (int v = p.y % 2; v < 3; v += 2) {
                for (int u = p.x % 2; u < 3; u += 2) {
                    ivec2 from = (p - ivec2(u, v)) / 2;
                    if (p.x < u || p.y < v || from.x >= SMALL.x || from.y >= SMALL.y) continue;
                    s += texelFetch(t_X, corner + from, 0).r * texelFetch(t_W, block + ivec2(u, v), 0).r;
                }
            }
        }
        s += texelFetch(t_B, ivec2(o, 0), 0).r;
        s = 1.0 / (1.0 + exp(-s));
    }
    Y = s;
}
