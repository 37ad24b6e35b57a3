#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

// gates = conv3x3([x, h]) + b, 4 * HIDDEN channels in the order i, f, o, g (Keras has i, f, g, o: mind it).
// Four channels a texel; the groups of four are tiles of SIZE, COLS to a row of tiles.

uniform sampler2D u_x;
uniform sampler2D u_h;
uniform sampler2D u_weight; // one kernel below the other, [4 HIDDEN][INPUTS + HIDDEN][3] rows of 3
uniform sampler2D u_bias;
uniform ivec2 u_size;
uniform int u_cols_x;
uniform int u_cols_h;
uniform int u_cols_gates;

layout(location = 0) out vec4 o_gates;

float fromTiles(sampler2D tiles, int cols, int c, ivec2 p) {
    int tile = c / 4;
    ivec2 corner = ivec2(tile % cols, tile / cols) * u_size;
    return texelFetch(tiles, corner + p, 0)[c % 4];
}

float inputAt(int c, ivec2 p) {
    if (p.x < 0 || p.y < 0 || p.x >= u_size.x || p.y >= u_size.y) return 0.0;
    if (c < INPUTS) return fromTiles(u_x, u_cols_x, c, p);
    return fromTiles(u_h, u_cols_h, c - INPUTS, p);
}

float gate(int o, ivec2 p) {
    float sum = texelFetch(u_bias, ivec2(o, 0), 0).r;
    for (int c = 0; c < INPUTS + HIDDEN; c++) {
        for (int dy = 0; dy < 3; dy++) {
            for (int dx = 0; dx < 3; dx++) {
                int row = (o * (INPUTS + HIDDEN) + c) * 3 + dy;
                sum += texelFetch(u_weight, ivec2(dx, row), 0).r * inputAt(c, p + ivec2(dx - 1, dy - 1));
            }
        }
    }
    return sum;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 tile = texel / u_size;
    ivec2 p = texel % u_size;
    int first = (tile.y * u_cols_gates + tile.x) * 4;
    if (first >= 4 * HIDDEN) {
        o_gates = vec4(0.0);
        return;
    }
    o_gates = vec4(gate(first, p), gate(first + 1, p), gate(first + 2, p), gate(first + 3, p));
}
