// w[o, c, p, q] = Σ_{n,i,j} d[n, o, i, j] · x[n, c, i·s + p·t + origin, j·s + q·t + origin]; i, j and p, q along y and x
//
// One fragment computes TAPS neighbours along x, of four channels of d and four of x: what it reads of PIXELS neighbours
// of d and the SPAN of x below them serves all of those. Rows of d are dealt out to slices, each summed by fragments of
// its own, and the sums by another step. TURNED, it is w[c, o, P − 1 − p, Q − 1 − q] that is made.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_x;         // H, W, columns of the grid of tiles, groups of four channels
    ivec4 u_y;         // the same of w, whose tiles are the taps of an element of the first axis and a group of the second
    ivec4 u_fragments; // width of the draw, number of fragments, rows of d a slice, rows of texels a slice
    ivec4 u_d;         // H, W, columns of the grid of tiles, groups of four channels of d
    ivec4 u_origins;   // first row and column of x at output 0, first axis of w, rows of d in all
    ivec4 u_w;         // width of w in texels, channels of its second axis, first group of these here
    ivec4 u_widths;    // width of x and of d in texels
    vec4 u_texel;      // unused
};

layout(std430, binding = 0) writeonly buffer Parts {
    vec4 b_parts[];
};

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int rest = at.y * u_fragments.x + at.x;
    if (rest >= u_fragments.y) discard;
    int block = rest % TAP_BLOCKS;
    rest /= TAP_BLOCKS;
    int p = rest % u_y.x;
    rest /= u_y.x;
    int c = rest % u_x.w;
    rest /= u_x.w;
    int o = rest % u_d.w;
    int slice = rest / u_d.w;
    int y0 = u_origins.x + p * GAP_Y;
    int x0 = u_origins.y + block * TAPS * GAP_X;
    vec4 sum[SUMS];
    for (int k = 0; k < SUMS; k++) { // unrolled
        sum[k] = vec4(0.0);
    }

    int first = slice * u_fragments.z;
    int last = min(first + u_fragments.z, u_origins.w);
    for (int i = first; i < last; i++) {
        int n = i / u_d.x;
        int row = y0 + (i - n * u_d.x) * STEP_Y;
        if (row < 0 || row >= u_x.x) continue;
        int x_tile = n * u_x.w + c, d_tile = n * u_d.w + o;
        int x_place = (x_tile / u_x.z * u_x.x + row) * u_widths.x + x_tile % u_x.z * u_x.y;
        int d_place = (d_tile / u_d.z * u_d.x + i - n * u_d.x) * u_widths.y + d_tile % u_d.z * u_d.y;
        for (int j = 0; j < u_d.y; j += PIXELS) {
            vec4 d[PIXELS];
            vec4 v[SPAN];
            for (int k = 0; k < PIXELS; k++) { // unrolled
                d[k] = texelFetch(t_D, d_place + (IS_WHOLE == 1 ? j + k : min(j + k, u_d.y - 1)));
                if (IS_WHOLE == 0) d[k] = mix(vec4(0.0), d[k], bvec4(j + k < u_d.y));
            }
            for (int k = 0; k < SPAN; k++) { // unrolled
                int column = x0 + j * STEP_X + k;
                v[k] = texelFetch(t_X, x_place + clamp(column, 0, u_x.y - 1));
                v[k] = mix(vec4(0.0), v[k], bvec4(column >= 0 && column < u_x.y));
            }
            for (int q = 0; q < TAPS; q++) { // unrolled
                for (int k = 0; k < PIXELS; k++) { // unrolled
                    vec4 one = TURNED == 1 ? v[k * STEP_X + q * GAP_X] : d[k];
                    vec4 four = TURNED == 1 ? d[k] : v[k * STEP_X + q * GAP_X];
                    sum[q * 4] += one.x * four;
                    sum[q * 4 + 1] += one.y * four;
                    sum[q * 4 + 2] += one.z * four;
                    sum[q * 4 + 3] += one.w * four;
                }
            }
        }
    }

    int first_axis = (TURNED == 1 ? c : o) * 4, second_axis = u_w.z + (TURNED == 1 ? o : c);
    if (TURNED == 1) p = u_y.x - 1 - p;
    bvec4 is_padding = greaterThanEqual(second_axis * 4 + ivec4(0, 1, 2, 3), ivec4(u_w.y));
    for (int k = 0; k < 4; k++) { // unrolled
        if (first_axis + k < u_origins.z) {
            int tile = (first_axis + k) * u_y.w + second_axis;
            ivec2 corner = ivec2(tile % u_y.z * u_y.y, tile / u_y.z * u_y.x + slice * u_fragments.w);
            for (int q = 0; q < TAPS; q++) { // unrolled
                int tap = block * TAPS + q;
                ivec2 place = corner + ivec2(TURNED == 1 ? u_y.y - 1 - tap : tap, p);
                if (tap < u_y.y) b_parts[place.y * u_w.x + place.x] = mix(sum[q * 4 + k], vec4(0.0), is_padding);
            }
        }
    }
}
