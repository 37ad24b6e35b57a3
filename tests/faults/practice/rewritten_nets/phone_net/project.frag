#version 330 core
// Each channel by its factor, then 1x1 from twelve to eight, no activation.
uniform sampler2D t_X;       // three tiles of 6 x 9, two across
uniform sampler2D t_FACTOR;  // three texels
uniform sampler2D t_W;       // 24 texels, five across: output * 3 + tile
uniform sampler2D t_B;       // two texels

out vec4 Y;

float times(int o, int g, vec4 a) {
    int n = o * 3 + g;
    return dot(a, texelFetch(t_W, ivec2(n % 5, n / 5), 0));
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int group = here.x / 6;
    ivec2 p = ivec2(here.x % 6, here.y);
    vec4 s = texelFetch(t_B, ivec2(group, 0), 0);
    int o = group * 4;
    for (int g = 0; g < 3; g++) {
        vec4 a = texelFetch(t_X, p + ivec2(g % 2 * 6, g / 2 * 9), 0);
        a *= texelFetch(t_FACTOR, ivec2(g, 0), 0);
        s += vec4(times(o, g, a), times(o + 1, g, a), times(o + 2, g, a), times(o + 3, g, a));
    }
    Y = s;
}
