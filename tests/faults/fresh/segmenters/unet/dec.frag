#version 300 es
// 3x3, same, relu, over [skip, x] one behind the other. Six channels of skip: x begins in the middle of a texel
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D skip, x, w, b;
uniform ivec2 s;
uniform int n_skip, n_x, sc, xc, oc, wc;
out vec4 o;

float cat(int c, ivec2 r) {
    if (c < n_skip) return texelFetch(skip, ivec2((c >> 2) % sc, (c >> 2) / sc) * s + r, 0)[c & 3];
    c -= n_skip;
    return texelFetch(x, ivec2((c >> 2) % xc, (c >> 2) / xc) * s + r, 0)[c & 3];
}

void main() {
    ivec2 t = ivec2(gl_FragCoord.xy), p = t % s, q = t / s;
    int f = q.y * oc + q.x, ci = (n_skip + n_x + 3) / 4;
    vec4 a = texelFetch(b, ivec2(f, 0), 0);
    for (int j = 0; j < 9; j++) {
        ivec2 d = ivec2(j % 3, j / 3), r = p + d - 1;
        if (any(lessThan(r, ivec2(0))) || any(greaterThanEqual(r, s))) continue;
        for (int g = 0; g < ci; g++) {
            vec4 v = vec4(cat(4 * g, r), cat(4 * g + 1, r), cat(4 * g + 2, r), cat(4 * g + 3, r));
            for (int k = 0; k < 4; k++) {
                int n = (4 * f + k) * ci + g;
                a[k] += dot(v, texelFetch(w, ivec2(n % wc, n / wc) * 3 + d, 0));
            }
        }
    }
    o = max(a, 0.0);
}
