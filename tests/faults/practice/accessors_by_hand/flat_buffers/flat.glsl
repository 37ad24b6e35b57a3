// Tensors are flat: element i is lane i % 4 of texel i / 4, texels row by row.

float at(sampler2D t, int width, int i) {
    int texel = i / 4;
    vec4 four = texelFetch(t, ivec2(texel % width, texel / width), 0);
    return four[i % 4];
}

struct Shape { int n, c, h, w; };

int flatten(Shape s, int n, int c, int y, int x) {
    return ((n * s.c + c) * s.h + y) * s.w + x;
}

void unflatten(Shape s, int i, out int n, out int c, out int y, out int x) {
    x = i % s.w;
    y = (i / s.w) % s.h;
    c = (i / (s.w * s.h)) % s.c;
    n = i / (s.w * s.h * s.c);
}
