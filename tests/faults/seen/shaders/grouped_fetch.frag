#version 300 es
// Convolution in groups, channel tiles, without a bias.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_x;
uniform sampler2D u_w;
uniform ivec2 u_size;       // width and height, the same on both sides
uniform int u_x_columns;
uniform int u_y_columns;
uniform int u_groups;
uniform int u_in_channels;
uniform int u_out_channels;
uniform ivec2 u_w_grid;     // columns of filters, columns of kernels
uniform int u_w_rows;       // rows of kernels in a filter

out float y_out;

float input_at(int channel, int x, int y) {
    int left = channel % u_x_columns * u_size.x;
    int top = channel / u_x_columns * u_size.y;
    return texelFetch(u_x, ivec2(left + x, top + y), 0).r;
}

float weight_at(int o, int i, int kx, int ky) {
    int column = o % u_w_grid.x * u_w_grid.y + i % u_w_grid.y;
    int row = o / u_w_grid.x * u_w_rows + i / u_w_grid.y;
    return texelFetch(u_w, ivec2(column * 3 + kx, row * 3 + ky), 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int o = texel.y / u_size.y * u_y_columns + texel.x / u_size.x;
    int px = texel.x % u_size.x;
    int py = texel.y % u_size.y;
    int per_group = u_in_channels / u_groups;
    int first = o / (u_out_channels / u_groups) * per_group;

    float sum = 0.0;
    for (int i = 0; i < per_group; i++) {
        for (int ky = 0; ky < 3; ky++) {
            int y = py + ky - 1;
            if (y < 0 || y >= u_size.y) continue;
            for (int kx = 0; kx < 3; kx++) {
                int x = px + kx - 1;
                if (x < 0 || x >= u_size.x) continue;
                sum += input_at(first + i, x, y) * weight_at(o, i, kx, ky);
            }
        }
    }
    y_out = sum;
}
