#version 330 core
// The widest view: taps two pixels apart, ReLU, and what came in on top. 10 channels, four tiles across, both ways.
uniform sampler2D t_X;
uniform sampler2D t_W;
uniform sampler2D t_B;

out float Y;

const ivec2 PIC = ivec2(5, 4);
const ivec2 BLOCK = ivec2(4, 3);

float row3(int o, int i, ivec2 p, int q) {
    ivec2 corner = ivec2(i % 4, i / 4) * PIC;
    ivec2 w = (ivec2(o % 4, o / 4) * BLOCK + ivec2(i % 4, i / 4)) * 3 + ivec2(0, q);
    int y = p.y + (q - 1) * 2;
    if (y < 0 || y >= PIC.y) return 0.0;
    float s = texelFetch(t_X, corner + ivec2(p.x, y), 0).r * texelFetch(t_W, w + ivec2(1, 0), 0).r;
    if (p.x - 2 >= 0) s += texelFetch(t_X, corner + ivec2(p.x - 2, y), 0).r * texelFetch(t_W, w, 0).r;
    if (p.x + 2 < PIC.x) s += texelFetch(t_X, corner + ivec2(p.x + 2, y), 0).r * texelFetch(t_W, w + ivec2(2, 0), 0).r;
    return s;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 tile = here / PIC, p = here % PIC;
    int o = tile.y * 4 + tile.x;
    Y = 0.0;
    if (o > 9) return;

    float s = 0.0;
    for (int i = 0; i < 10; i++) {
        s += row3(o, i, p, 0) + row3(o, i, p, 1) + row3(o, i, p, 2);
    }
    s = max(s + texelFetch(t_B, ivec2(o, 0), 0).r, 0.0);
    Y = s + texelFetch(t_X, here, 0).r;
}
