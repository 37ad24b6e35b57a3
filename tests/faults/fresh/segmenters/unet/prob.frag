#version 300 es
// 1x1 and softmax over the five classes; every texel works out all five
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D x, w, b;
uniform ivec2 s;
uniform int xc, oc, wc;
out vec4 o;
#define K 5
#define G 2

void main() {
    ivec2 t = ivec2(gl_FragCoord.xy), p = t % s, q = t / s;
    int f = q.y * oc + q.x;
    float l[8], top = -1e30, z = 0.0;
    for (int c = 0; c < K; c++) {
        l[c] = texelFetch(b, ivec2(c, 0), 0).r;
        for (int g = 0; g < G; g++) {
            int n = c * G + g;
            l[c] += dot(texelFetch(x, ivec2(g % xc, g / xc) * s + p, 0), texelFetch(w, ivec2(n % wc, n / wc), 0));
        }
        top = max(top, l[c]);
    }
    for (int c = 0; c < K; c++) z += l[c] = exp(l[c] - top);
    for (int c = K; c < 8; c++) l[c] = 0.0;
    o = vec4(l[4 * f], l[4 * f + 1], l[4 * f + 2], l[4 * f + 3]) / z;
}
