#version 300 es
// The mean of a window; what lies outside the image does not count.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_x;
uniform ivec2 u_x_size;   // width, height
uniform ivec2 u_y_size;

const int K = 3;
const int S = 2;
const int P = 1;

out float y_out;

void main() {
    int tx = int(gl_FragCoord.x);
    int ty = int(gl_FragCoord.y);
    int tile_x = tx / u_y_size.x;
    int tile_y = ty / u_y_size.y;
    int x0 = (tx % u_y_size.x) * S - P;
    int y0 = (ty % u_y_size.y) * S - P;

    float total = 0.0;
    int count = 0;
    for (int j = 0; j < K; ++j) {
        int y = y0 + j;
        if (y < 0 || y >= u_x_size.y) continue;
        for (int i = 0; i < K; ++i) {
            int x = x0 + i;
            if (x < 0 || x >= u_x_size.x) continue;
            total += texelFetch(u_x, ivec2(tile_x * u_x_size.x + x, tile_y * u_x_size.y + y), 0).r;
            count += 1;
        }
    }
    y_out = total / float(count);
}
