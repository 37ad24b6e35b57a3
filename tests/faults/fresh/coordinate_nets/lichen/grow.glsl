// Buffer C: 24 -> 12, and half of the cells take the step.
#define N ivec2(30, 22)
#define STEP .7
#define FIRE .5

void mainImage(out vec4 O, in vec2 U) {
    ivec2 p = ivec2(U);
    int me = p.x / N.x;
    p.x %= N.x;

    vec4 d = vec4(0);
    for (int j = 0; j < 24; j++) {
        int t = j >> 2;
        ivec2 q = p + N * ivec2(t % 3, t / 3);
        float h = texelFetch(iChannel0, q, 0)[j & 3];
        d += h * texelFetch(iChannel1, ivec2(me, j), 0);
    }
    float fire = texelFetch(iChannel3, p, 0).r < FIRE ? 1. : 0.;
    vec4 old = texelFetch(iChannel2, ivec2(U), 0);
    O = old + STEP * fire * d;
}
