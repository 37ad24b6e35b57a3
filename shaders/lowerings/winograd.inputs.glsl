// What the sums of products over tiles of 2x2 outputs read: each tile's inputs, transformed along y and x
//
// One fragment transforms one tile of four channels. Phase f of the input has each s-th place from f on.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_tiles;     // first tile, their number here, number of fragments
    ivec4 u_x;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_fragments; // width of the draw, tiles that there is room for, tiles along y and x
    ivec4 u_origins;   // first row and column of the window at output 0
    vec4 u_texel;      // 1 / width and height of x in texels
};

layout(std430, binding = 0) writeonly buffer Inputs {
    vec4 b_inputs[]; // [place of a tile, phase, group of x, tile]
};

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int rest = at.y * u_fragments.x + at.x;
    if (rest >= u_tiles.z) discard;
    int own = rest % u_fragments.y;
    rest /= u_fragments.y;
    if (own >= u_tiles.y) discard;
    int group = rest % u_x.w;
    int phase = rest / u_x.w;
    int tile = u_tiles.x + own;
    int n = tile / (u_fragments.z * u_fragments.w);
    int in_image = tile - n * u_fragments.z * u_fragments.w;
    ivec2 first = ivec2(in_image % u_fragments.w * STRIDE_X, in_image / u_fragments.w * STRIDE_Y) * 2 + u_origins.yx
        + ivec2(phase % STRIDE_X, phase / STRIDE_X);
    int x_tile = n * u_x.w + group;
    ivec2 corner = ivec2(x_tile % u_x.z, x_tile / u_x.z) * u_x.yx;
    bvec4 is_channel = greaterThan(ivec4(group == u_x.w - 1 ? LAST_LANES : 4), ivec4(0, 1, 2, 3));

    vec4 rows[INPUTS_Y * PLACES_X];
    for (int i = 0; i < INPUTS_Y; i++) { // unrolled
        vec4 d[INPUTS_X];
        int row = first.y + i * STRIDE_Y;
        float t = (float(corner.y + clamp(row, 0, u_x.x - 1)) + 0.5) * u_texel.y;
        for (int j = 0; j < INPUTS_X; j++) { // unrolled
            int column = first.x + j * STRIDE_X;
            float s = (float(corner.x + clamp(column, 0, u_x.y - 1)) + 0.5) * u_texel.x;
            bool is_inside = row >= 0 && row < u_x.x && column >= 0 && column < u_x.y;
            d[j] = mix(vec4(0.0), textureLod(t_X, vec2(s, t), 0.0), bvec4(is_inside));
            if (LAST_LANES < 4) d[j] = mix(vec4(0.0), d[j], is_channel);
        }
        for (int j = 0; j < PLACES_X; j++) { // unrolled
            rows[i * PLACES_X + j] = INPUTS_ALONG_X(d, j);
        }
    }
    int stride = STRIDE_Y * STRIDE_X * u_x.w * u_fragments.y;
    int index = (phase * u_x.w + group) * u_fragments.y + own;
    for (int j = 0; j < PLACES_X; j++) { // unrolled
        vec4 d[INPUTS_Y];
        for (int i = 0; i < INPUTS_Y; i++) { // unrolled
            d[i] = rows[i * PLACES_X + j];
        }
        for (int i = 0; i < PLACES_Y; i++) { // unrolled
            b_inputs[index + (i * PLACES_X + j) * stride] = INPUTS_ALONG_Y(d, i);
        }
    }
}
