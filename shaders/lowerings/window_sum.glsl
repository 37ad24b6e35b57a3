// y[n, o, t·j + r] = b[o] + Σ_{i,p} x[n, i, j·s + origin(r) + p·d] · w[r, o, i, p]; j, p along y and x
//
// One fragment computes a run of PIXELS neighbours along x, of GROUPS groups of four channels: what it reads of x serves
// all groups, and each weight serves all pixels. Where a layer is small and deep, slices of the input channels are
// summed by fragments of their own, and the sums by another step.
//
// With ONE_LOOP there is one over tiles and rows of the window. A software driver copies all sums in each turn of a loop
// within another: 1x1 convolutions take 0.6 times as long without. An H200 takes 1.05 to 1.1 times as long with it.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_y;         // the same of the output
    ivec4 u_fragments; // width of the draw, number of fragments, groups of x a slice, rows of texels a slice
    ivec4 u_runs;      // rows and runs of a parity, t along y and x
    ivec4 u_origins;   // first row of the window at output 0 for r = 0 and 1, then its first column
    ivec4 u_stores[MAX_STORES];
    vec4 u_texel;      // 1 / width and height of x in texels
};

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
    for (int k = 0; k < SUMS; k++) { // unrolled
        sum[k] = vec4(0.0);
    }

    int first = slice * u_fragments.z;
    int own_groups = u_x.w / PARTS; // that these outputs are summed over, of a grouped convolution
    int last = min(first + u_fragments.z, own_groups);
    // From tile to tile by steps: a division by what is no constant costs a software driver as much as sixteen reads.
    int part = block * GROUPS / (u_y.w / PARTS);
    int tile = n * u_x.w + (PARTS == 1 ? 0 : part * own_groups) + first;
    ivec2 next = ivec2(tile % u_x.z, tile / u_x.z) * u_x.yx;
    int weights = (parity * blocks + block) * own_groups * KERNEL_Y;
#ifdef ONE_LOOP
    int p = 0;
    for (int turn = first * KERNEL_Y; turn < last * KERNEL_Y; turn++) {
        int row = y0 + p * DILATION_Y;
        ivec2 corner = next;
        p = p == KERNEL_Y - 1 ? 0 : p + 1;
        if (p == 0) next.x += u_x.y;
        if (next.x == u_x.z * u_x.y) next = ivec2(0, next.y + u_x.x);
#else
    for (int i = first; i < last; i++) {
        ivec2 corner = next;
        next.x += u_x.y;
        if (next.x == u_x.z * u_x.y) next = ivec2(0, next.y + u_x.x);
        for (int p = 0; p < KERNEL_Y; p++) {
        int row = y0 + p * DILATION_Y, turn = i * KERNEL_Y + p;
#endif
        if (row < 0 || row >= u_x.x) continue;
        int w = (weights + turn) * (KERNEL_X * GROUPS * 4);
        float t = (float(corner.y + row) + 0.5) * u_texel.y;
        // Lanes beyond the last channel may hold anything, NaN too.
        bool is_last = turn >= (own_groups - 1) * KERNEL_Y;
        bvec4 is_channel = greaterThan(ivec4(is_last ? LAST_LANES : 4), ivec4(0, 1, 2, 3));
        vec4 v[SPAN];
        for (int c = 0; c < SPAN; c++) { // unrolled
            int column = x0 + c;
            float s = (float(corner.x + clamp(column, 0, u_x.y - 1)) + 0.5) * u_texel.x;
            bool is_inside = column >= 0 && column < u_x.y;
            v[c] = mix(vec4(0.0), textureLod(t_X, vec2(s, t), 0.0), bvec4(is_inside));
            if (LAST_LANES < 4) v[c] = mix(vec4(0.0), v[c], is_channel);
        }
        for (int q = 0; q < KERNEL_X; q++) { // unrolled
            for (int g = 0; g < GROUPS; g++) { // unrolled
                vec4 w0 = texelFetch(t_W, w), w1 = texelFetch(t_W, w + 1);
                vec4 w2 = texelFetch(t_W, w + 2), w3 = texelFetch(t_W, w + 3);
                w += 4;
                for (int k = 0; k < PIXELS; k++) { // unrolled
                    sum[g * PIXELS + k] += v[k * STRIDE_X + q * DILATION_X].x * w0
                        + v[k * STRIDE_X + q * DILATION_X].y * w1
                        + v[k * STRIDE_X + q * DILATION_X].z * w2
                        + v[k * STRIDE_X + q * DILATION_X].w * w3;
                }
            }
        }
#ifndef ONE_LOOP
        }
#endif
    }

#ifdef KEEP_SUMS
    KEEP_SUMS // as colours, of which other draws make the tensors
#else
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
#endif
}
