#version 330
// Five tiles, three in a row: the queries of three heads, the one key head, the one value head.
uniform sampler2D u_x;
uniform sampler2D u_W;

layout(location = 0) out float head_out;

const int N = 13, DH = 6, D_IN = 10, TILES = 5;

void main()
{
    int px = int(gl_FragCoord.x), py = int(gl_FragCoord.y);
    int t = (py / N) * 3 + px / DH;
    if (t >= TILES) {
        head_out = 0.0;
        return;
    }
    int n = py % N;
    int row = t * DH + px % DH;

    float acc = 0.0;
    // two at a time, ten are even
    for (int i = 0; i < D_IN; i += 2) {
        vec2 xv = vec2(texelFetch(u_x, ivec2(i, n), 0).r, texelFetch(u_x, ivec2(i + 1, n), 0).r);
        vec2 wv = vec2(texelFetch(u_W, ivec2(i, row), 0).r, texelFetch(u_W, ivec2(i + 1, row), 0).r);
        acc += dot(xv, wv);
    }
    head_out = acc;
}
