// y[n, c, i, j] = Σ_k a[n, c, i, k] · b[n, c, k, j]: a product of matrices for each channel, four of them in a texel
//
// One fragment computes ROWS rows of COLUMNS columns: what it reads of a serves all columns, what it reads of b all rows.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // H, W, columns of the grid of tiles, groups of four channels of a
    ivec4 u_y;         // the same of the output
    ivec4 u_b;         // the same of b
    ivec4 u_fragments; // width of the draw, number of fragments, runs along x and y
    ivec4 u_stores[MAX_STORES];
    vec4 u_texel;      // 1 / width and height of a in texels, then of b
};

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int rest = at.y * u_fragments.x + at.x;
    if (rest >= u_fragments.y) discard;
    int x0 = rest % u_fragments.z * COLUMNS;
    rest /= u_fragments.z;
    int y0 = rest % u_fragments.w * ROWS;
    int tile = rest / u_fragments.w;
    int n = tile / u_y.w;
    int group = tile - n * u_y.w;
    vec2 a_corner = vec2(ivec2(tile % u_x.z, tile / u_x.z) * u_x.yx) + 0.5;
    vec2 b_corner = vec2(ivec2(tile % u_b.z, tile / u_b.z) * u_b.yx) + 0.5;
    vec4 sum[SUMS];
    for (int k = 0; k < SUMS; k++) { // unrolled
        sum[k] = vec4(0.0);
    }
    for (int k = 0; k < u_x.y; k++) {
        vec4 a[ROWS];
        vec4 b[COLUMNS];
        for (int r = 0; r < ROWS; r++) { // unrolled
            a[r] = textureLod(t_X, (a_corner + vec2(k, min(y0 + r, u_y.x - 1))) * u_texel.xy, 0.0);
        }
        for (int c = 0; c < COLUMNS; c++) { // unrolled
            b[c] = textureLod(t_B, (b_corner + vec2(min(x0 + c, u_y.y - 1), k)) * u_texel.zw, 0.0);
        }
        for (int r = 0; r < ROWS; r++) { // unrolled
            for (int c = 0; c < COLUMNS; c++) { // unrolled
                sum[r * COLUMNS + c] += a[r] * b[c];
            }
        }
    }
    begin(n, group, 0);
    for (int r = 0; r < ROWS; r++) { // unrolled
        for (int c = 0; c < COLUMNS; c++) { // unrolled
            if (y0 + r < u_y.x && x0 + c < u_y.y) finish(ivec2(x0 + c, y0 + r), sum[r * COLUMNS + c]);
        }
    }
}
