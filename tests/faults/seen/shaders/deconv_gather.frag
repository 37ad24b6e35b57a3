#version 330 core
// Transposed convolution 3x3 of stride 3 and padding 1, in two groups: gathers what each input would scatter.

uniform sampler2D u_x;
uniform sampler2D u_w;

const int STRIDE = 3;
const int PAD = 1;
const ivec2 IN = ivec2(5, 4);
const ivec2 OUT = ivec2(13, 10);
const int PER_GROUP_IN = 3, PER_GROUP_OUT = 2;

out float y;

float input_value(int c, ivec2 p) {
    return texelFetch(u_x, ivec2(c % 3, c / 3) * IN + p, 0).r;
}

float weight(int i, int o, ivec2 tap) {
    return texelFetch(u_w, ivec2(i % 3 * 6 + o % 2 * 3, i / 3 * 3) + tap, 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int o = texel.y / OUT.y * 2 + texel.x / OUT.x;
    ivec2 place = texel % OUT + PAD;
    int group = o / PER_GROUP_OUT;

    float sum = 0.0;
    for (int v = 0; v < 3; v++)
        for (int u = 0; u < 3; u++) {
            ivec2 from = place - ivec2(u, v);
            if (from.x < 0 || from.y < 0 || from.x % STRIDE != 0 || from.y % STRIDE != 0) continue;
            from /= STRIDE;
            if (from.x >= IN.x || from.y >= IN.y) continue;
            for (int i = 0; i < PER_GROUP_IN; i++) {
                int channel = group * PER_GROUP_IN + i;
                sum += input_value(channel, from) * weight(channel, o - group * PER_GROUP_OUT, ivec2(u, v));
            }
        }
    y = sum;
}
