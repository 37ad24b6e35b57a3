#version 330
// what a cell feels: itself, two sobels, a laplacian. The world is a torus.
uniform sampler2D s;
out vec4 o;
#define W 13
#define H 9
#define T(x,y) texelFetch(s, t*ivec2(W,H) + (q+ivec2(x,y)+ivec2(W,H))%ivec2(W,H), 0)

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), c = p/ivec2(W,H), q = p - c*ivec2(W,H);
    int k = c.y*4 + c.x;       // 12 tiles, 4 in a row: 3 of each filter
    int f = k/3, g = k%3;
    ivec2 t = ivec2(g%2, g/2); // 3 tiles, 2 in a row
    vec4 r;
    if (f == 0) r = T(0,0);
    else if (f == 1) r = T(1,-1)+2.*T(1,0)+T(1,1) - T(-1,-1)-2.*T(-1,0)-T(-1,1);
    else if (f == 2) r = T(-1,1)+2.*T(0,1)+T(1,1) - T(-1,-1)-2.*T(0,-1)-T(1,-1);
    else r = T(-1,-1)+T(1,-1)+T(-1,1)+T(1,1) + 2.*(T(-1,0)+T(1,0)+T(0,-1)+T(0,1)) - 12.*T(0,0);
    o = f == 0 ? r : r/8.;
}
