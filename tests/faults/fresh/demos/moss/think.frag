#version 330
// 48 -> 18, relu. Rows of w are the cells of the hidden layer, 12 texels each.
uniform sampler2D x, w, b;
out vec4 o;
#define W 13
#define H 9
#define X(k) texelFetch(x, q + ivec2((k)%4, (k)/4)*ivec2(W,H), 0)
#define M(n,k) texelFetch(w, ivec2(k, n), 0)

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), c = p/ivec2(W,H), q = p%ivec2(W,H);
    int n = 4*(c.y*3 + c.x);
    o = texelFetch(b, ivec2(n/4, 0), 0);
    for (int k = 0; k < 12; k++) {
        vec4 v = X(k);
        o += vec4(dot(v, M(n,k)), dot(v, M(n+1,k)), dot(v, M(n+2,k)), dot(v, M(n+3,k)));
    }
    o = max(o, 0.);
}
