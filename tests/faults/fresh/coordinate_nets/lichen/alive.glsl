// Buffer D: a cell lives if there was life around it, and there still is.
#define R iResolution.xy
#define LIFE .1

// alpha is the last lane of the first texel
float around(sampler2D t, ivec2 p) {
    float m = -1e9;
    ivec2 n = ivec2(R);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            m = max(m, texelFetch(t, (p + ivec2(x, y) + n) % n, 0).a);
    return m;
}

void mainImage(out vec4 O, in vec2 U) {
    ivec2 p = ivec2(U);
    bool was = around(iChannel0, p) > LIFE;
    bool is = around(iChannel1, p) > LIFE;
    O = vec4(was && is);
}
