// Buffer A: what a cell feels. Upper third: the cell; middle: slope along x; lower: slope along y.
#define N ivec2(30, 22)

vec4 S(ivec2 p, int g) {
    p = (p + N) % N;
    return texelFetch(iChannel0, ivec2(g * N.x + p.x, p.y), 0);
}

void mainImage(out vec4 O, in vec2 U) {
    ivec2 p = ivec2(U), b = p / N;
    p -= b * N;
    int g = b.x;
    ivec3 e = ivec3(-1, 0, 1);

    vec4 nw = S(p + e.xx, g), n = S(p + e.yx, g), ne = S(p + e.zx, g);
    vec4 w  = S(p + e.xy, g), c = S(p, g),        E  = S(p + e.zy, g);
    vec4 sw = S(p + e.xz, g), s = S(p + e.yz, g), se = S(p + e.zz, g);

    vec4 dx = (ne + 2. * E + se) - (nw + 2. * w + sw);
    vec4 dy = (sw + 2. * s + se) - (nw + 2. * n + ne);
    O = b.y == 0 ? c : (b.y == 1 ? dx : dy) / 8.;
}
