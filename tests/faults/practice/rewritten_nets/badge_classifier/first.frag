#version 330 core
// conv 3x3 without bias, batch norm, ReLU. Two texels of four channels, side by side; nine taps written out.
uniform sampler2D t_X;
uniform sampler2D t_W;         // 16 tiles of 3 x 3, four across: output * 2 + half of the inputs
uniform sampler2D t_SCALE;
uniform sampler2D t_SHIFT;
uniform sampler2D t_MEAN;
uniform sampler2D t_VAR;

out vec4 Y;

const ivec2 S = ivec2(11, 10);

vec4 look(int half_, ivec2 p) {
    if (p.x < 0 || p.y < 0 || p.x >= S.x || p.y >= S.y) return vec4(0.0);
    return texelFetch(t_X, ivec2(half_ * S.x + p.x, p.y), 0);
}

vec4 kern(int o, int half_, int u, int v) {
    int n = 2 * o + half_;
    return texelFetch(t_W, ivec2(n % 4 * 3 + u, n / 4 * 3 + v), 0);
}

#define TAP(u, v) { vec4 a = look(h, p + ivec2(u, v) - 1); \
    s += vec4(dot(a, kern(o, h, u, v)), dot(a, kern(o + 1, h, u, v)), \
              dot(a, kern(o + 2, h, u, v)), dot(a, kern(o + 3, h, u, v))); }

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int group = here.x / S.x;
    ivec2 p = ivec2(here.x - group * S.x, here.y);
    int o = group * 4;

    vec4 s = vec4(0.0);
    for (int h = 0; h < 2; h++) {
        TAP(0, 0) TAP(1, 0) TAP(2, 0)
        TAP(0, 1) TAP(1, 1) TAP(2, 1)
        TAP(0, 2) TAP(1, 2) TAP(2, 2)
    }

    ivec2 g = ivec2(group, 0);
    vec4 spread = sqrt(texelFetch(t_VAR, g, 0) + 0.01);
    vec4 normed = (s - texelFetch(t_MEAN, g, 0)) / spread;
    Y = max(normed * texelFetch(t_SCALE, g, 0) + texelFetch(t_SHIFT, g, 0), vec4(0.0));
}
