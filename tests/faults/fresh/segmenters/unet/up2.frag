#version 300 es
// transposed 2x2, stride 2: every output has one tap. w: tile (i * 2 + g) has input i, outputs 4g .. 4g + 3
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D x, w, b;
uniform ivec2 s;
uniform int ch, xc, oc, wc;
out vec4 o;

void main() {
    ivec2 t = ivec2(gl_FragCoord.xy), p = t % s, q = t / s;
    int f = q.y * oc + q.x;
    ivec2 h = s / 2, r = p / 2, d = p - 2 * r;
    vec4 a = texelFetch(b, ivec2(f, 0), 0);
    for (int i = 0; i < ch; i++) {
        int g = i >> 2, n = 2 * i + f;
        float v = texelFetch(x, ivec2(g % xc, g / xc) * h + r, 0)[i & 3];
        a += v * texelFetch(w, ivec2(n % wc, n / wc) * 2 + d, 0);
    }
    o = a;
}
