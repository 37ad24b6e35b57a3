#version 300 es
// Convolution, bias and ReLU in one pass; integers only.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_x;
uniform sampler2D u_w;
uniform sampler2D u_b;
uniform ivec4 u_x_shape;    // n, c, h, w
uniform ivec4 u_y_shape;
uniform ivec4 u_w_shape;    // o, i, kernel rows, kernel columns
uniform ivec2 u_stride;     // x, y
uniform ivec2 u_pad;        // left, top
uniform ivec2 u_dilation;   // x, y

layout(location = 0) out float y_out;

int columns(int tiles) {
    int side = 1;
    while (side * side < tiles) side++;
    return side;
}

ivec2 tile_texel(int tile, int tiles, ivec2 texel, ivec2 size) {
    int across = columns(tiles);
    return ivec2(tile % across, tile / across) * size + texel;
}

float weight(int o, int i, ivec2 k) {
    int outer = columns(u_w_shape.x);
    int inner = columns(u_w_shape.y);
    int inner_rows = (u_w_shape.y + inner - 1) / inner;
    int column = (o % outer) * inner + i % inner;
    int row = (o / outer) * inner_rows + i / inner;
    return texelFetch(u_w, ivec2(column, row) * u_w_shape.wz + k, 0).r;
}

void main() {
    ivec2 size = u_y_shape.wz;
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 xy = texel % size;
    int tile = (texel.y / size.y) * columns(u_y_shape.x * u_y_shape.y) + texel.x / size.x;
    int n = tile / u_y_shape.y;
    int o = tile % u_y_shape.y;

    float acc = 0.0;
    for (int i = 0; i < u_x_shape.y; ++i) {
        for (int ky = 0; ky < u_w_shape.z; ++ky) {
            for (int kx = 0; kx < u_w_shape.w; ++kx) {
                ivec2 src = xy * u_stride - u_pad + ivec2(kx, ky) * u_dilation;
                if (src.x < 0 || src.x >= u_x_shape.w || src.y < 0 || src.y >= u_x_shape.z) continue;
                ivec2 from = tile_texel(n * u_x_shape.y + i, u_x_shape.x * u_x_shape.y, src, u_x_shape.wz);
                acc += texelFetch(u_x, from, 0).r * weight(o, i, ivec2(kx, ky));
            }
        }
    }
    acc += texelFetch(u_b, ivec2(o, 0), 0).r;
    y_out = max(acc, 0.0);
}
