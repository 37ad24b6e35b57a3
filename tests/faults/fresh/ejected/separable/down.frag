#version 330 core
// 5x3 (rows x columns), steps of 2 and 3, pads: 2 above, 1 below, 1 left, none right; 7 outputs of 5 x 4

uniform sampler2D t_x, t_w, t_b;
out float y;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int c = p.y / 4 * 3 + p.x / 5;
    if (c >= 7) { y = 0.0; return; }
    int oy = p.y % 4 * 2 - 2, ox = p.x % 5 * 3 - 1;
    float s = 0.0;
    for (int i = 0; i < 6; i++) {
        int tx = i % 3 * 15, ty = i / 3 * 9;
        int kx = (c % 3 * 3 + i % 3) * 3, ky = (c / 3 * 2 + i / 3) * 5;
        for (int a = max(0, -oy); a < min(5, 9 - oy); a++)
            for (int b = max(0, -ox); b < min(3, 15 - ox); b++)
                s += texelFetch(t_x, ivec2(tx + ox + b, ty + oy + a), 0).r * texelFetch(t_w, ivec2(kx + b, ky + a), 0).r;
    }
    y = s + texelFetch(t_b, ivec2(c, 0), 0).r;
}
