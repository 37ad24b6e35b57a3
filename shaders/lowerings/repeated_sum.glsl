// y[n, o, u, v] = b[o] + Σ_{i,k,l} x[n, i, (u − before + k) div R, (v − before + l) div S] · w[o, i, k, l]; S along x
//
// One fragment computes a run of RUN · S neighbours along x, of four channels. Taps that read the same element are one
// product with the sum of their weights: rows of weights are added up first, here or by `merged_rows.glsl`, then columns. Channels of b, a tensor
// beside what is repeated, come after those of x. Slices are as those of `window_sum.glsl`, weights as those of
// `stored_sum.glsl`.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // H, W before repeats, columns of the grid of tiles, groups of four channels
    ivec4 u_y;         // the same of the output
    ivec4 u_fragments; // width of the draw, number of fragments, groups of x a slice, rows of texels a slice
    ivec4 u_runs;      // rows and runs of a remainder, first row and column of the window at output 0
    ivec4 u_b;         // H, W, columns of the grid of tiles, groups of four channels of b
    ivec4 u_beside;    // first row and column of the window in b at output 0
    ivec4 u_w;         // columns of the grid of tiles, groups of four, first axis, width in texels of the weights
    ivec4 u_stores[MAX_STORES];
    ivec4 u_widths;    // width of x and of b in texels
    vec4 u_texel;      // unused
};

// A quotient of numbers below 2^22, which takes a software driver a fraction of a division
int quotient(int a, int b) {
    return int((float(a) + 0.5) * (1.0 / float(b)));
}

// The place of the first tap of a group of four of the second axis, at place n of the first
int weights_of(int n, int group) {
    int tile = min(n, u_w.z - 1) * u_w.y + min(group, u_w.y - 1);
    int row = quotient(tile, u_w.x);
    return row * WEIGHT_ROWS * u_w.w + (tile - row * u_w.x) * KERNEL_X;
}

vec4 bias_of(int group) {
    ivec2 size = textureSize(t_C, 0);
    if (BIAS_A_TEXEL == 4) {
        int row = group / size.x;
        return texelFetch(t_C, ivec2(group - row * size.x, row), 0);
    }
    vec4 bias;
    for (int k = 0; k < 4; k++) { // unrolled
        bias[k] = texelFetch(t_C, ivec2(min(group * 4 + k, size.x - 1), 0), 0).x;
    }
    return bias;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int rest = at.y * u_fragments.x + at.x;
    if (rest >= u_fragments.y) discard;
    int run = rest % u_runs.y * RUN;
    rest /= u_runs.y;
    int y = rest % u_runs.x;
    rest /= u_runs.x;
    int group = rest % u_y.w;
    rest /= u_y.w;
    int remainder = rest % REPEATS_Y;
    rest /= REPEATS_Y;
    int n = rest % BATCH;
    int slice = rest / BATCH;
    int row_of_first = (remainder + SHIFT_Y) / REPEATS_Y;
    int rows = (remainder + SHIFT_Y + KERNEL_Y - 1) / REPEATS_Y - row_of_first + 1;
    int first_row = 0; // of the merged rows of weights
    for (int r = 0; r < REPEATS_Y; r++) { // unrolled
        int rows_of_r = (r + SHIFT_Y + KERNEL_Y - 1) / REPEATS_Y - (r + SHIFT_Y) / REPEATS_Y + 1;
        if (r < remainder) first_row += rows_of_r;
    }
    int y0 = y + u_runs.z + row_of_first;
    int x0 = run + u_runs.w;
    vec4 bias = HAS_BIAS == 1 && slice == 0 ? bias_of(group) : vec4(0.0);
    vec4 sum[PIXELS];
    for (int k = 0; k < PIXELS; k++) { // unrolled
        sum[k] = bias;
    }

    int first = slice * u_fragments.z;
    int last = min(first + u_fragments.z, u_x.w);
    int tile = n * u_x.w + first;
    ivec2 corner = ivec2(tile % u_x.z - 1, tile / u_x.z) * u_x.yx;
    for (int i = first; i < last; i++) {
        corner.x += u_x.y;
        if (corner.x == u_x.z * u_x.y) corner = ivec2(0, corner.y + u_x.x);
        // Lanes beyond the last channel may hold anything, NaN too.
        bvec4 is_channel = greaterThan(ivec4(i == u_x.w - 1 ? LAST_LANES : 4), ivec4(0, 1, 2, 3));
        int own[4];
        for (int k = 0; k < 4; k++) { // unrolled
            own[k] = weights_of(group * 4 + k, i);
        }
        for (int p = 0; p < rows; p++) {
            int row = y0 + p;
            if (row < 0 || row >= u_x.x) continue;
            int x_place = (corner.y + row) * u_widths.x + corner.x;
            vec4 v[SPAN];
            for (int c = 0; c < SPAN; c++) { // unrolled
                int column = x0 + c;
                v[c] = texelFetch(t_X, x_place + clamp(column, 0, u_x.y - 1));
                v[c] = mix(vec4(0.0), v[c], bvec4(column >= 0 && column < u_x.y));
                if (LAST_LANES < 4) v[c] = mix(vec4(0.0), v[c], is_channel);
            }
            vec4 w0[KERNEL_X], w1[KERNEL_X], w2[KERNEL_X], w3[KERNEL_X];
            for (int q = 0; q < KERNEL_X; q++) { // unrolled
                w0[q] = w1[q] = w2[q] = w3[q] = vec4(0.0);
            }
            int tap = (row_of_first + p) * REPEATS_Y - remainder - SHIFT_Y;
            for (int m = 0; m < ROWS_AT_ONCE; m++) { // unrolled
                bool is_tap = IS_MERGED == 1 || (tap + m >= 0 && tap + m < KERNEL_Y);
                int place = (IS_MERGED == 1 ? first_row + p : clamp(tap + m, 0, KERNEL_Y - 1)) * u_w.w;
                for (int q = 0; q < KERNEL_X; q++) { // unrolled
                    w0[q] += mix(vec4(0.0), texelFetch(t_W, own[0] + place + q), bvec4(is_tap));
                    w1[q] += mix(vec4(0.0), texelFetch(t_W, own[1] + place + q), bvec4(is_tap));
                    w2[q] += mix(vec4(0.0), texelFetch(t_W, own[2] + place + q), bvec4(is_tap));
                    w3[q] += mix(vec4(0.0), texelFetch(t_W, own[3] + place + q), bvec4(is_tap));
                }
            }
            for (int q = 0; q < KERNEL_X_OF_PART; q++) { // unrolled
                w0[q] = mix(vec4(0.0), w0[q], is_channel);
                w1[q] = mix(vec4(0.0), w1[q], is_channel);
                w2[q] = mix(vec4(0.0), w2[q], is_channel);
                w3[q] = mix(vec4(0.0), w3[q], is_channel);
            }
            for (int r = 0; r < REPEATS_X; r++) { // unrolled
                for (int c = 0; c < ELEMENTS; c++) { // unrolled
                    if ((r + SHIFT_X) / REPEATS_X <= c && c <= (r + SHIFT_X + KERNEL_X - 1) / REPEATS_X) {
                        vec4 u0 = vec4(0.0), u1 = vec4(0.0), u2 = vec4(0.0), u3 = vec4(0.0);
                        for (int q = 0; q < KERNEL_X; q++) { // unrolled
                            if ((r + SHIFT_X + q) / REPEATS_X == c) {
                                u0 += w0[q];
                                u1 += w1[q];
                                u2 += w2[q];
                                u3 += w3[q];
                            }
                        }
                        for (int k = 0; k < RUN; k++) { // unrolled
                            vec4 a = v[k + c];
                            sum[k * REPEATS_X + r] += vec4(dot(a, u0), dot(a, u1), dot(a, u2), dot(a, u3));
                        }
                    }
                }
            }
        }
    }

    y = y * REPEATS_Y + remainder;
    for (int i = 0; i < u_b.w && slice == 0; i++) {
        int tile = n * u_b.w + i;
        ivec2 corner = ivec2(tile % u_b.z, tile / u_b.z) * u_b.yx;
        bvec4 is_channel = greaterThan(ivec4(i == u_b.w - 1 ? LAST_LANES_B : 4), ivec4(0, 1, 2, 3));
        int own[4];
        for (int k = 0; k < 4; k++) { // unrolled
            own[k] = weights_of(group * 4 + k, u_x.w + i);
        }
        for (int p = 0; p < KERNEL_Y; p++) {
            int row = y + u_beside.x + p;
            if (row < 0 || row >= u_b.x) continue;
            int b_place = (corner.y + row) * u_widths.y + corner.x;
            vec4 v[SPAN_B];
            for (int c = 0; c < SPAN_B; c++) { // unrolled
                int column = run * REPEATS_X + u_beside.y + c;
                v[c] = texelFetch(t_B, b_place + clamp(column, 0, u_b.y - 1));
                v[c] = mix(vec4(0.0), v[c], bvec4(column >= 0 && column < u_b.y));
                if (LAST_LANES_B < 4) v[c] = mix(vec4(0.0), v[c], is_channel);
            }
            for (int q = 0; q < KERNEL_X_B; q++) { // unrolled
                vec4 w[4];
                for (int k = 0; k < 4; k++) { // unrolled
                    w[k] = texelFetch(t_W, own[k] + p * u_w.w + q);
                    if (LAST_LANES_B < 4) w[k] = mix(vec4(0.0), w[k], is_channel);
                }
                for (int k = 0; k < PIXELS; k++) { // unrolled
                    vec4 a = v[k + q];
                    sum[k] += vec4(dot(a, w[0]), dot(a, w[1]), dot(a, w[2]), dot(a, w[3]));
                }
            }
        }
    }

    if (y >= u_y.x) return;
    begin(n, group, slice);
    for (int k = 0; k < PIXELS; k++) { // unrolled
        if (run * REPEATS_X + k < u_y.y) finish(ivec2(run * REPEATS_X + k, y), sum[k]);
    }
}
