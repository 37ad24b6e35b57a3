#version 330 core
// Gradient of a dilated convolution by its input, channels as tiles side by side.

uniform sampler2D u_dy;
uniform sampler2D u_w;

const int STEP = 2;
const int PAD = 2;
const ivec2 SIZE = ivec2(8, 7);
const int CHANNELS = 4;

out float o_dx;

float arriving(int channel, ivec2 p) {
    if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, SIZE))) return 0.0;
    return texelFetch(u_dy, ivec2(channel % 2, channel / 2) * SIZE + p, 0).r;
}

float weight(int o, int i, ivec2 tap) {
    return texelFetch(u_w, (ivec2(o % 2, o / 2) * 2 + ivec2(i % 2, i / 2)) * 3 + tap, 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / SIZE;
    int channel = tile.y * 2 + tile.x;
    ivec2 at = texel % SIZE + PAD;

    float total = 0.0;
    for (int v = 0; v < 3; v++)
        for (int u = 0; u < 3; u++) {
            ivec2 from = at - ivec2(u, v) * STEP;
            for (int o = 0; o < CHANNELS; o++)
                total += arriving(o, from) * weight(o, channel, ivec2(u, v));
        }
    o_dx = total;
}
