#version 330 core
// Twice as large, interpolated by the sampler, and a 1x1 to two channels in the same go. Reads stay half a pixel inside.
uniform sampler2D t_X;        // 5 channels of 10 x 12, three across; linear filter
uniform sampler2D t_W;        // 2 blocks, side by side, of 5 weights, three across
uniform sampler2D t_B;
uniform vec2 texel;           // 1 / size of t_X

out float Y;

const vec2 SMALL = vec2(10.0, 12.0);

float smoothly(int c, vec2 p) {
    vec2 inside = clamp(p, vec2(0.5), SMALL - 0.5);
    return texture(t_X, (vec2(c % 3, c / 3) * SMALL + inside) * texel).r;
}

void main() {
    vec2 st = gl_FragCoord.xy / (2.0 * SMALL);
    int o = int(floor(st.x));
    vec2 p = fract(st) * SMALL;

    float s = 0.0;
    for (int i = 0; i < 5; ++i) {
        s += texelFetch(t_W, ivec2(o * 3 + i % 3, i / 3), 0).r * smoothly(i, p);
    }
    Y = s + texelFetch(t_B, ivec2(o, 0), 0).r;
}
