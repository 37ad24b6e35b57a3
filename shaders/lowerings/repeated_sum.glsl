// y[n, o, u, v] = b[o] + Σ_{i,k,l} x[n, i, (u − before + k) div R, (v − before + l) div S] · w[o, i, k, l]; S along x
//
// One fragment computes a run of RUN · S neighbours along x, of four channels. Taps that read the same element are one
// product with the sum of their weights: rows of weights are packed as such sums for each of the R remainders of u,
// columns are added up here. Channels of b, a tensor beside what is repeated, come after those of x. Slices are as those
// of `window_sum.glsl`.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // H, W before repeats, columns of the grid of tiles, groups of four channels
    ivec4 u_y;         // the same of the output
    ivec4 u_fragments; // width of the draw, number of fragments, groups of x a slice, rows of texels a slice
    ivec4 u_runs;      // rows and runs of a remainder, first row and column of the window at output 0
    ivec4 u_first;     // by remainder of u, its first row of the window
    ivec4 u_rows;      // by remainder of u, its rows of the window
    ivec4 u_packed;    // by remainder of u, its first row of the packed weights
    ivec4 u_b;         // H, W, columns of the grid of tiles, groups of four channels of b
    ivec4 u_beside;    // first row and column of the window in b at output 0, its first packed weights
    ivec4 u_stores[MAX_STORES];
    vec4 u_texel;      // 1 / width and height of x in texels, then of b
};

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
    int y0 = y + u_runs.z + u_first[remainder];
    int x0 = run + u_runs.w;
    vec4 sum[PIXELS];
    for (int k = 0; k < PIXELS; k++) { // unrolled
        sum[k] = vec4(0.0);
    }
    if (BIAS_FOLLOWS == 1 && slice == 0) {
        int bias = u_beside.w + group;
        for (int k = 0; k < PIXELS; k++) { // unrolled
            sum[k] = texelFetch(t_W, bias);
        }
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
        for (int p = 0; p < u_rows[remainder]; p++) {
            int row = y0 + p;
            if (row < 0 || row >= u_x.x) continue;
            float t = (float(corner.y + row) + 0.5) * u_texel.y;
            int w = ((group * u_x.w + i) * PACKED_ROWS + u_packed[remainder] + p) * (KERNEL_X * 4);
            vec4 v[SPAN];
            for (int c = 0; c < SPAN; c++) { // unrolled
                int column = x0 + c;
                float s = (float(corner.x + clamp(column, 0, u_x.y - 1)) + 0.5) * u_texel.x;
                v[c] = mix(vec4(0.0), textureLod(t_X, vec2(s, t), 0.0), bvec4(column >= 0 && column < u_x.y));
                if (LAST_LANES < 4) v[c] = mix(vec4(0.0), v[c], is_channel);
            }
            vec4 w0[KERNEL_X], w1[KERNEL_X], w2[KERNEL_X], w3[KERNEL_X];
            for (int q = 0; q < KERNEL_X; q++) { // unrolled
                w0[q] = texelFetch(t_W, w + q * 4);
                w1[q] = texelFetch(t_W, w + q * 4 + 1);
                w2[q] = texelFetch(t_W, w + q * 4 + 2);
                w3[q] = texelFetch(t_W, w + q * 4 + 3);
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
                            sum[k * REPEATS_X + r] += v[k + c].x * u0 + v[k + c].y * u1
                                + v[k + c].z * u2 + v[k + c].w * u3;
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
        for (int p = 0; p < KERNEL_Y; p++) {
            int row = y + u_beside.x + p;
            if (row < 0 || row >= u_b.x) continue;
            float t = (float(corner.y + row) + 0.5) * u_texel.w;
            int w = u_beside.z + ((group * u_b.w + i) * KERNEL_Y + p) * (KERNEL_X * 4);
            vec4 v[SPAN_B];
            for (int c = 0; c < SPAN_B; c++) { // unrolled
                int column = run * REPEATS_X + u_beside.y + c;
                float s = (float(corner.x + clamp(column, 0, u_b.y - 1)) + 0.5) * u_texel.z;
                v[c] = mix(vec4(0.0), textureLod(t_B, vec2(s, t), 0.0), bvec4(column >= 0 && column < u_b.y));
                if (LAST_LANES_B < 4) v[c] = mix(vec4(0.0), v[c], is_channel);
            }
            for (int q = 0; q < KERNEL_X_B; q++) { // unrolled
                vec4 w0 = texelFetch(t_W, w), w1 = texelFetch(t_W, w + 1);
                vec4 w2 = texelFetch(t_W, w + 2), w3 = texelFetch(t_W, w + 3);
                w += 4;
                for (int k = 0; k < PIXELS; k++) { // unrolled
                    sum[k] += v[k + q].x * w0 + v[k + q].y * w1 + v[k + q].z * w2 + v[k + q].w * w3;
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
