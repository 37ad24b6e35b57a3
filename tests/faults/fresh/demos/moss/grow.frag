#version 330
// 18 -> 12 and the step: only cells that throw less than .6 change.
uniform sampler2D s, h, w, b, dice;
uniform float rate;
out vec4 o;
#define W 13
#define H 9
#define R ivec2(W,H)
#define I(n,k) ((n)*5+(k))
#define M(n,k) texelFetch(w, ivec2(I(n,k)%8, I(n,k)/8), 0)

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), c = p/R, q = p%R;
    int n = 4*(c.y*2 + c.x);
    if (n >= 12) { o = vec4(0); return; }
    vec4 u = texelFetch(b, ivec2(n/4, 0), 0);
    for (int k = 0; k < 5; k++) {
        vec4 v = texelFetch(h, q + R*ivec2(k%3, k/3), 0);
        if (k == 4) v.zw = vec2(0);
        u.x += dot(v, M(n,k));
        u.y += dot(v, M(n+1,k));
        u.z += dot(v, M(n+2,k));
        u.w += dot(v, M(n+3,k));
    }
    float fire = step(texelFetch(dice, q, 0).r, .6);
    o = texelFetch(s, p, 0) + rate*fire*u;
}
