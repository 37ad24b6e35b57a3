#version 330 core
// Transposed 3x3, stride 2: an even place has one tap along its axis, an odd one two. Then leaky, then the earlier picture.
uniform sampler2D t_X;      // 10 channels of 5 x 4, four across
uniform sampler2D t_W;      // 10 blocks, four across, of 8 kernels, three across
uniform sampler2D t_B;
uniform sampler2D t_EARLY;  // 8 channels of 9 x 7, three across

out float Y;

float X(int c, ivec2 p) { return texelFetch(t_X, ivec2(c % 4 * 5, c / 4 * 4) + p, 0).r; }

float W(int i, int o, ivec2 tap) {
    ivec2 block = ivec2(i % 4, i / 4) * ivec2(9, 9);
    return texelFetch(t_W, block + ivec2(o % 3, o / 3) * 3 + tap, 0).r;
}

float spread(int o, ivec2 p) {
    ivec2 from = (p + 1) / 2;
    ivec2 odd = p % 2;
    // even places meet the middle tap; odd ones tap 0 of the pixel after, tap 2 of the pixel before
    ivec2 first = ivec2(1) - odd;
    float s = 0.0;
    for (int i = 0; i < 10; i++) {
        for (int a = 0; a <= odd.y; a++) {
            for (int b = 0; b <= odd.x; b++) {
                ivec2 at = from - ivec2(b, a);
                if (at.x >= 5 || at.y >= 4) continue;
                s += X(i, at) * W(i, o, first + 2 * ivec2(b, a));
            }
        }
    }
    return s;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / ivec2(9, 7);
    int o = tile.y * 3 + tile.x;
    if (o >= 8) { Y = 0.0; return; }

    float s = spread(o, here - tile * ivec2(9, 7)) + texelFetch(t_B, ivec2(o, 0), 0).r;
    if (s < 0.0) s *= 0.15;
    Y = s + texelFetch(t_EARLY, here, 0).r;
}
