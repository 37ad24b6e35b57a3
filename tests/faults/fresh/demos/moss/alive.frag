#version 330
// cells without a living one around them die; the alpha of a cell is its channel 3
uniform sampler2D s;
out vec4 o;
#define W 13
#define H 9
#define A(x,y) texelFetch(s, (q+ivec2(x,y)+ivec2(W,H))%ivec2(W,H), 0).a

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), q = p%ivec2(W,H);
    float m = A(0,0);
    m = max(m, max(A(-1,0), A(1,0)));
    m = max(m, max(A(0,-1), A(0,1)));
    m = max(m, max(A(-1,-1), A(1,-1)));
    m = max(m, max(A(-1,1), A(1,1)));
    o = m > 1.9 ? texelFetch(s, p, 0) : vec4(0);
}
