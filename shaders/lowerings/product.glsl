// y[p, i, j] = α · Σ_k a[p₀, i, k] · b[p₁, k, j] + β · c[i, j]; p counts the pairs (p₀, p₁) of matrices
//
// One fragment computes ROWS rows of GROUPS groups of four columns: what it reads of a serves all columns, what it reads
// of b all rows.

layout(std140, binding = 0) uniform Shape {
    ivec4 u_inner;        // groups of four along k: no constant, since a driver would repeat the body of a short loop
    ivec4 u_pairs[PAIRS]; // matrix of a, of b
};

vec4 a_of(int matrix, int row, int k) {
#ifdef A_IN_FOURS
    return A_four((matrix * ROWS_OF_Y + row) * (INNER / 4) + k);
#else
    vec4 v = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        int at = A_IS_TRANSPOSED ? (4 * k + i) * ROWS_OF_Y + row : row * INNER + 4 * k + i;
        if (4 * k + i < INNER) v[i] = A_linear(matrix * ROWS_OF_Y * INNER + at);
    }
    return v;
#endif
}

// Zero beyond the last of k; columns beyond the last are not stored.
vec4 b_of(int matrix, int k, int group) {
#ifdef B_IS_PACKED
    return texelFetch(t_W, k * GROUPS_OF_Y + group);
#else
    int first = (matrix * INNER + min(k, INNER - 1)) * COLUMNS_OF_Y + 4 * group;
#ifdef B_IN_FOURS
    vec4 w = B_four(first / 4);
#else
    vec4 w = vec4(0.0);
    for (int i = 0; i < 4; i++)
        if (4 * group + i < COLUMNS_OF_Y) w[i] = B_linear(first + i);
#endif
    return k < INNER ? w : vec4(0.0);
#endif
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    int rest = at.y * WIDTH + at.x;
    if (rest >= FRAGMENTS) discard;
    int run = rest % RUNS * ROWS;
    rest /= RUNS;
    int first = rest % BLOCKS * GROUPS;
    int pair = rest / BLOCKS;
    ivec2 matrices = u_pairs[pair].xy;
    vec4 sum[SUMS];
    for (int r = 0; r < SUMS; r++) { // unrolled
        sum[r] = vec4(0.0);
    }
    for (int k = 0; k < u_inner.x; k++) {
        vec4 v[ROWS];
        for (int r = 0; r < ROWS; r++) { // unrolled
            v[r] = a_of(matrices.x, min(run + r, ROWS_OF_Y - 1), k);
        }
        for (int g = 0; g < GROUPS; g++) { // unrolled
            int group = min(first + g, GROUPS_OF_Y - 1);
            vec4 w0 = b_of(matrices.y, 4 * k, group), w1 = b_of(matrices.y, 4 * k + 1, group);
            vec4 w2 = b_of(matrices.y, 4 * k + 2, group), w3 = b_of(matrices.y, 4 * k + 3, group);
            for (int r = 0; r < ROWS; r++) { // unrolled
                sum[g * ROWS + r] += v[r].x * w0 + v[r].y * w1 + v[r].z * w2 + v[r].w * w3;
            }
        }
    }
    for (int g = 0; g < GROUPS; g++) { // unrolled
#ifdef HAS_FINISH
        begin(min(first + g, GROUPS_OF_Y - 1));
#endif
        for (int r = 0; r < ROWS; r++) { // unrolled
            if (first + g < GROUPS_OF_Y && run + r < ROWS_OF_Y) put(pair, first + g, run + r, sum[g * ROWS + r]);
        }
    }
}
