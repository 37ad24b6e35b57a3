#version 330 core
// 1x1 from five channels to twelve, hard swish. Five channels are a full texel and one lane of the next tile.
uniform sampler2D t_X;       // two tiles
uniform sampler2D t_W;       // 24 texels, five across: output * 2 + tile
uniform sampler2D t_B;       // three texels

out vec4 Y;

const ivec2 SIZE = ivec2(12, 9);

vec4 w4(int o) { int n = o * 2; return texelFetch(t_W, ivec2(n % 5, n / 5), 0); }
float w1(int o) { int n = o * 2 + 1; return texelFetch(t_W, ivec2(n % 5, n / 5), 0).x; }

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / SIZE, p = here % SIZE;
    int group = tile.y * 2 + tile.x;
    if (group > 2) {
        Y = vec4(0.0);
        return;
    }
    vec4 a = texelFetch(t_X, p, 0);
    float b = texelFetch(t_X, p + ivec2(SIZE.x, 0), 0).x;
    vec4 s;
    for (int lane = 0; lane < 4; lane++) {
        int o = group * 4 + lane;
        s[lane] = dot(a, w4(o)) + b * w1(o);
    }
    s += texelFetch(t_B, ivec2(group, 0), 0);
    Y = s * clamp(s / 6.0 + 0.5, 0.0, 1.0);
}
