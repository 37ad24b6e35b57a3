#version 330 core
// 1x1 projection of the picture rolled by SHIFT up and left. Four channels a texel; weights [o][i]: tile o * GROUPS + g.
uniform sampler2D image;
uniform sampler2D weight;
uniform sampler2D bias;
uniform int weight_columns;

out vec4 features;

const int H = 8;
const int W = 12;
const int GROUPS = 3;
const int TILES_ACROSS = 2;
const int SHIFT = 2;

vec4 texel(int g, int y, int x) {
    return texelFetch(image, ivec2(g % TILES_ACROSS * W + x, g / TILES_ACROSS * H + y), 0);
}

vec4 weights(int o, int g) {
    int tile = o * GROUPS + g;
    return texelFetch(weight, ivec2(tile % weight_columns, tile / weight_columns), 0);
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int group = p.y / H * TILES_ACROSS + p.x / W;
    if (group >= GROUPS) {
        features = vec4(0.0);
        return;
    }
    int y = (p.y % H + SHIFT) % H;
    int x = (p.x % W + SHIFT) % W;

    vec4 sum = texelFetch(bias, ivec2(group, 0), 0);
    for (int g = 0; g < GROUPS; g++) {
        vec4 v = texel(g, y, x);
        for (int lane = 0; lane < 4; lane++) {
            sum[lane] += dot(v, weights(group * 4 + lane, g));
        }
    }
    features = sum;
}
