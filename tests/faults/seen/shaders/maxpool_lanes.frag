#version 330 core
// Largest of 2x2, four values of flat memory a texel; one function finds them all.

uniform sampler2D u_data;

const int W = 8, H = 6;

out vec4 values;

float best = -1e30;

float element(int index) {
    int texel = index >> 2;
    int width = textureSize(u_data, 0).x;
    return texelFetch(u_data, ivec2(texel % width, texel / width), 0)[index & 3];
}

void look(int channel, int y, int x) {
    best = max(best, element((channel * H + y) * W + x));
}

float largest(int index) {
    int x = index % (W / 2), y = index / (W / 2) % (H / 2), channel = index / (W / 2 * H / 2);
    best = -1e30;
    look(channel, 2 * y, 2 * x);
    look(channel, 2 * y, 2 * x + 1);
    look(channel, 2 * y + 1, 2 * x);
    look(channel, 2 * y + 1, 2 * x + 1);
    return best;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int first = 4 * (texel.y * 3 + texel.x);
    for (int lane = 0; lane < 4; lane++) values[lane] = largest(first + lane);
}
