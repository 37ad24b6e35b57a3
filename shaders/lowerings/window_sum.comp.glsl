// y[n, o, t·j + r] = b[o] + Σ_{i,p} x[n, i, j·s + origin(r) + p·d] · w[r, o, i, p]; j, p along y and x
//
// A product of matrices: its rows are groups of four channels of the output, its columns the pixels, one after another
// through all images. A work group computes ROWS by COLUMNS of it, a thread OWN_ROWS by OWN_COLUMNS of those. STEP of k
// at a time lie in shared memory, twice: while one lot is summed, the next is on its way. Where a layer is small and
// deep, several work groups share the k of a sum.

shared vec4 s_x[2 * STEP * COLUMNS];
shared vec4 s_w[2 * STEP * 4 * ROWS];

void main() {
    int thread = int(gl_LocalInvocationIndex);
    int own_column = thread % COLUMN_THREADS;
    int own_row = thread / COLUMN_THREADS;
    int first_column = int(gl_WorkGroupID.x) * COLUMNS;
    int first_row = int(gl_WorkGroupID.y) * ROWS;
    int parity = int(gl_WorkGroupID.z) / u_split.x;
    int share = int(gl_WorkGroupID.z) % u_split.x;
    int first_tap = u_parities[parity].x;
    int k = share * u_split.y;
    int end = min(u_parities[parity].y * u_x.w, k + u_split.y);
    int steps = max(end - k + STEP - 1, 0) / STEP;

    ivec3 origin[PIXELS];
    for (int i = 0; i < PIXELS; i++) { // unrolled
        origin[i] = origin_of(parity, first_column + (thread + i * THREADS) % COLUMNS);
    }
    vec4 sum[SUMS];
    for (int i = 0; i < SUMS; i++) { // unrolled
        sum[i] = vec4(0.0);
    }
    vec4 x[X_LOADS];
    vec4 w[W_LOADS];

    for (int i = 0; i <= steps; i++) {
        int even = i & 1;
        if (i < steps) {
            for (int j = 0; j < X_LOADS; j++) { // unrolled
                x[j] = texel_of(origin[j % PIXELS], first_tap, k + (thread + j * THREADS) / COLUMNS, end);
            }
            for (int j = 0; j < W_LOADS; j++) { // unrolled
                int row = (thread + j * THREADS) / ROWS;
                w[j] = weight_of(first_tap, k + row / 4, row % 4, first_row + (thread + j * THREADS) % ROWS, end);
            }
        }
        if (i > 0) {
            int x_at = (1 - even) * STEP * COLUMNS + own_column;
            int w_at = (1 - even) * STEP * 4 * ROWS + own_row;
            for (int j = 0; j < STEP; j++) {
                vec4 v[OWN_COLUMNS];
                for (int q = 0; q < OWN_COLUMNS; q++) { // unrolled
                    v[q] = s_x[x_at + q * COLUMN_THREADS];
                }
                for (int p = 0; p < OWN_ROWS; p++) { // unrolled
                    vec4 w0 = s_w[w_at + p * ROW_THREADS];
                    vec4 w1 = s_w[w_at + p * ROW_THREADS + ROWS];
                    vec4 w2 = s_w[w_at + p * ROW_THREADS + 2 * ROWS];
                    vec4 w3 = s_w[w_at + p * ROW_THREADS + 3 * ROWS];
                    for (int q = 0; q < OWN_COLUMNS; q++) { // unrolled
                        sum[p * OWN_COLUMNS + q] += v[q].x * w0;
                        sum[p * OWN_COLUMNS + q] += v[q].y * w1;
                        sum[p * OWN_COLUMNS + q] += v[q].z * w2;
                        sum[p * OWN_COLUMNS + q] += v[q].w * w3;
                    }
                }
                x_at += COLUMNS;
                w_at += 4 * ROWS;
            }
        }
        if (i < steps) {
            for (int j = 0; j < X_LOADS; j++) { // unrolled
                if (thread + j * THREADS < STEP * COLUMNS) s_x[even * STEP * COLUMNS + thread + j * THREADS] = x[j];
            }
            for (int j = 0; j < W_LOADS; j++) { // unrolled
                if (thread + j * THREADS < STEP * 4 * ROWS) s_w[even * STEP * 4 * ROWS + thread + j * THREADS] = w[j];
            }
            k += STEP;
        }
        barrier();
    }

    for (int p = 0; p < OWN_ROWS; p++) { // unrolled
        for (int q = 0; q < OWN_COLUMNS; q++) { // unrolled
            write(parity, first_row + own_row + p * ROW_THREADS, first_column + own_column + q * COLUMN_THREADS, share, sum[p * OWN_COLUMNS + q]);
        }
    }
}
