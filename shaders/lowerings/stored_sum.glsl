// y[n, o, t·j + r] = b[o] + Σ_{i,p} x[n, i, j·s + origin(r) + p·d] · w[r, o, i, p]; j, p along y and x
//
// As `window_sum.glsl`, of weights that are no constants: t_W holds the texels of their texture, as t_X those of x. A
// texel has four channels of the weights' second axis. That is the input of a convolution, [output, input, tap, tap], and the output of a transposed one,
// of whose taps remainder r has each t-th from (r + pad) mod t on, last first.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_y;         // the same of the output
    ivec4 u_fragments; // width of the draw, number of fragments, groups of x a slice, rows of texels a slice
    ivec4 u_runs;      // rows and runs of a parity, t along y and x
    ivec4 u_origins;   // first row of the window at output 0 for r = 0 and 1, then its first column
    ivec4 u_w;         // columns of the grid of tiles, groups of four, first axis, width in texels of the weights
    ivec4 u_taps;      // taps of the weights along y and x, pad along y and x
    ivec4 u_stores[MAX_STORES];
    ivec4 u_width;     // width of x in texels
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
    return row * u_taps.x * u_w.w + (tile - row * u_w.x) * u_taps.y;
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
    int run = rest % u_runs.y * PIXELS;
    rest /= u_runs.y;
    int y = rest % u_runs.x;
    rest /= u_runs.x;
    int blocks = (u_y.w + GROUPS - 1) / GROUPS;
    int block = rest % blocks;
    rest /= blocks;
    int parity = rest % PARITIES;
    rest /= PARITIES;
    int n = rest % BATCH;
    int slice = rest / BATCH;
    ivec2 remainder = ivec2(parity % u_runs.w, parity / u_runs.w);
    int y0 = y * STRIDE_Y + u_origins[remainder.y];
    int x0 = run * STRIDE_X + u_origins[2 + remainder.x];
    vec4 sum[SUMS];
    for (int g = 0; g < GROUPS; g++) { // unrolled
        vec4 bias = HAS_BIAS == 1 && slice == 0 ? bias_of(min(block * GROUPS + g, u_y.w - 1)) : vec4(0.0);
        for (int k = 0; k < PIXELS; k++) { // unrolled
            sum[g * PIXELS + k] = bias;
        }
    }

    ivec2 first_tap = ivec2(0), step = ivec2(1);
    if (TRANSPOSED == 1) {
        step = -u_runs.zw;
        first_tap = (remainder.yx + u_taps.zw) % u_runs.zw + u_runs.zw * ivec2(KERNEL_Y - 1, KERNEL_X - 1);
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
        int own[WEIGHTS];
        for (int g = 0; g < GROUPS; g++) { // unrolled
            int group = block * GROUPS + g;
            for (int k = 0; k < 4; k++) { // unrolled
                own[g * 4 + k] = TRANSPOSED == 1 ? weights_of(i * 4 + k, group) : weights_of(group * 4 + k, i);
            }
        }
        for (int p = 0; p < KERNEL_Y; p++) {
            int row = y0 + p * DILATION_Y;
            if (row < 0 || row >= u_x.x) continue;
            int place = (corner.y + row) * u_width.x + corner.x;
            int tap = (first_tap.x + p * step.x) * u_w.w + first_tap.y;
            vec4 v[SPAN];
            for (int c = 0; c < SPAN; c++) { // unrolled
                int column = x0 + c;
                v[c] = texelFetch(t_X, place + clamp(column, 0, u_x.y - 1));
                v[c] = mix(vec4(0.0), v[c], bvec4(column >= 0 && column < u_x.y));
                if (LAST_LANES < 4) v[c] = mix(vec4(0.0), v[c], is_channel);
            }
            for (int q = 0; q < KERNEL_X; q++) { // unrolled
                for (int g = 0; g < GROUPS; g++) { // unrolled
                    vec4 w[4];
                    for (int k = 0; k < 4; k++) { // unrolled
                        w[k] = texelFetch(t_W, own[g * 4 + k] + tap + q * step.y);
                        if (LAST_LANES < 4) w[k] = mix(vec4(0.0), w[k], TRANSPOSED == 1 ? bvec4(is_channel[k]) : is_channel);
                    }
                    for (int k = 0; k < PIXELS; k++) { // unrolled
                        vec4 a = v[k * STRIDE_X + q * DILATION_X];
                        sum[g * PIXELS + k] += TRANSPOSED == 1
                            ? a.x * w[0] + a.y * w[1] + a.z * w[2] + a.w * w[3]
                            : vec4(dot(a, w[0]), dot(a, w[1]), dot(a, w[2]), dot(a, w[3]));
                    }
                }
            }
        }
    }

    y = y * u_runs.z + remainder.y;
    if (y >= u_y.x) return;
    for (int g = 0; g < GROUPS; g++) { // unrolled
        if (block * GROUPS + g < u_y.w) {
            begin(n, block * GROUPS + g, slice);
            for (int k = 0; k < PIXELS; k++) { // unrolled
                if ((run + k) * u_runs.w + remainder.x < u_y.y) {
                    finish(ivec2((run + k) * u_runs.w + remainder.x, y), sum[g * PIXELS + k]);
                }
            }
        }
    }
}
