// Buffer B: 36 -> 24, relu. Six texels in two rows of three.
#define N ivec2(30, 22)
#define W(i) texelFetch(iChannel1, ivec2(i, me), 0)

void mainImage(out vec4 O, in vec2 U) {
    ivec2 p = ivec2(U), b = p / N;
    p %= N;
    int me = 3 * b.y + b.x;

    O = texelFetch(iChannel2, ivec2(me, 0), 0);
    for (int k = 0; k < 3; k++)
    for (int g = 0; g < 3; g++) {
        vec4 v = texelFetch(iChannel0, p + ivec2(g, k) * N, 0);
        int i = 12 * k + 4 * g;
        O += mat4(W(i), W(i + 1), W(i + 2), W(i + 3)) * v;
    }
    O = max(O, 0.);
}
