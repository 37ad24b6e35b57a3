#version 330 core
// 1x1 convolution and bias, the block's input added, PReLU; two pictures of six channels.

uniform sampler2D u_inner;
uniform sampler2D u_skip;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform sampler2D u_slope;

const int WIDTH = 6, HEIGHT = 5;
const int INPUTS = 4, OUTPUTS = 6;

out float y;

#define TILE(t, columns) (ivec2((t) % (columns), (t) / (columns)) * ivec2(WIDTH, HEIGHT))

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int tile = texel.y / HEIGHT * 4 + texel.x / WIDTH;
    int n = tile / OUTPUTS, o = tile % OUTPUTS;
    ivec2 at = ivec2(texel.x % WIDTH, texel.y % HEIGHT);

    float sum = 0.0;
    for (int i = 0; i < INPUTS; ++i) {
        float x = texelFetch(u_inner, TILE(n * INPUTS + i, 3) + at, 0).r;
        float w = texelFetch(u_w, ivec2(o % 3 * 2 + i % 2, o / 3 * 2 + i / 2), 0).r;
        sum += x * w;
    }
    sum += texelFetch(u_b, ivec2(o, 0), 0).r;
    float skip = texelFetch(u_skip, TILE(tile, 4) + at, 0).r;
    float before = sum + skip;
    float slope = texelFetch(u_slope, ivec2(o % 3, o / 3), 0).r;
    y = before >= 0.0 ? before : slope * before;
}
