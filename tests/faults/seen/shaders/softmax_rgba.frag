#version 330 core
// Softmax over channels that lie in fours; the last four are not all there.

uniform sampler2D t_scores;

const int CHANNELS = 6;
const ivec2 SIZE = ivec2(5, 4);

out vec4 o_shares;

vec4 scores(int group, ivec2 p) {
    return texelFetch(t_scores, ivec2(group * SIZE.x, 0) + p, 0);
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 p = texel % SIZE;

    float top = scores(0, p).r;
    for (int c = 1; c < CHANNELS; c++)
        top = max(top, scores(c / 4, p)[c % 4]);

    float total = 0.0;
    for (int group = 0; group < 2; group++) {
        vec4 powers = exp(scores(group, p) - top);
        for (int lane = 0; lane < 4; lane++)
            total += group * 4 + lane < CHANNELS ? powers[lane] : 0.0;
    }
    o_shares = exp(texelFetch(t_scores, texel, 0) - top) / total;
}
