#version 330 core
// 1x1 and the skip

uniform sampler2D t_x, t_w, t_b, t_skip;
out float y;

void main() {
    const ivec2 S = ivec2(15, 9);
    ivec2 p = ivec2(gl_FragCoord.xy), t = p / S, q = p % S;
    int c = t.y * 3 + t.x;
    ivec2 f = ivec2(c % 3 * 3, c / 3 * 2);
    float s = 0.0;
    for (int i = 0; i < 6; i++) {
        ivec2 g = ivec2(i % 3, i / 3);
        s += texelFetch(t_x, g * S + q, 0).r * texelFetch(t_w, f + g, 0).r;
    }
    s += texelFetch(t_b, ivec2(c, 0), 0).r;
    y = s + texelFetch(t_skip, p, 0).r;
}
