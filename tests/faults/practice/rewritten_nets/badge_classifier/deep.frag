#version 330 core
// Every channel by itself, taps two apart. A kernel is a tile of one number a texel, three tiles a row.
uniform sampler2D t_X;
uniform sampler2D t_W;
uniform sampler2D t_B;

out vec4 Y;

const int DIL = 2;

vec4 four(int group, int u, int v) {
    vec4 w;
    for (int lane = 0; lane < 4; lane++) {
        int c = group * 4 + lane;
        w[lane] = texelFetch(t_W, ivec2(c % 3 * 3 + u, c / 3 * 3 + v), 0).r;
    }
    return w;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int group = here.x / 11;
    int x = here.x % 11, y = here.y;

    vec4 s = texelFetch(t_B, ivec2(group, 0), 0);
    for (int v = 0; v < 3; v++) {
        int yy = y + (v - 1) * DIL;
        if (yy < 0 || yy > 9) continue;
        for (int u = 0; u < 3; u++) {
            int xx = x + (u - 1) * DIL;
            if (xx < 0 || xx > 10) continue;
            s += four(group, u, v) * texelFetch(t_X, ivec2(group * 11 + xx, yy), 0);
        }
    }
    Y = s;
}
