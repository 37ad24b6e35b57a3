#version 300 es
// 3x3, same, relu. w: tile (o * ci + g) has the kernels of output o for inputs 4g .. 4g + 3
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D x, w, b;
uniform ivec2 s;
uniform int ci, xc, oc, wc;
out vec4 o;

void main() {
    ivec2 t = ivec2(gl_FragCoord.xy), p = t % s, q = t / s;
    int f = q.y * oc + q.x;
    vec4 a = texelFetch(b, ivec2(f, 0), 0);
    for (int g = 0; g < ci; g++)
    for (int j = 0; j < 9; j++) {
        ivec2 d = ivec2(j % 3, j / 3), r = p + d - 1;
        if (any(lessThan(r, ivec2(0))) || any(greaterThanEqual(r, s))) continue;
        vec4 v = texelFetch(x, ivec2(g % xc, g / xc) * s + r, 0);
        for (int k = 0; k < 4; k++) {
            int n = (4 * f + k) * ci + g;
            a[k] += dot(v, texelFetch(w, ivec2(n % wc, n / wc) * 3 + d, 0));
        }
    }
    o = max(a, 0.0);
}
