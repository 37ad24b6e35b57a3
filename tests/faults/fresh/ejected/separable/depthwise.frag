#version 330 core
// 3x3 depthwise, then a clip; 6 channels of 15 x 9 in 3 x 2 tiles

uniform sampler2D t_x, t_w, t_b;
out float y;

void main() {
    const ivec2 S = ivec2(15, 9);
    ivec2 p = ivec2(gl_FragCoord.xy), t = p / S;
    ivec2 o = t * S, q = p - o;
    int c = t.y * 3 + t.x;
    ivec2 f = ivec2(c % 3, c / 3) * 3;
    float s = texelFetch(t_b, ivec2(c, 0), 0).r;
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3);
        ivec2 r = q + d - 1;
        if (any(lessThan(r, ivec2(0))) || any(greaterThanEqual(r, S))) continue;
        s += texelFetch(t_x, o + r, 0).r * texelFetch(t_w, f + d, 0).r;
    }
    y = clamp(s, -0.7, 1.1);
}
