// y[o,k,i] = factor · Σ_n x[o,n,i] · (cos φ + sign · i sin φ),  φ = 2π · (k·n mod length) / length, x zero beyond its end;
// y and x are complex, with real and imaginary parts in the last axis, or real. From the one half of a spectrum that
// a real signal needs, the other half's terms are those of n with opposite imaginary parts
//
// TABLE has cos φ in row 0 and sin φ in row 1, a column for each multiple of 2π / length.

vec2 x_at(int outer, int n, int inner) {
    int from = ((outer * AXIS_COUNT + n) * INNER_COUNT + inner) * PARTS;
    return vec2(X_linear(from), PARTS == 2 ? X_linear(from + 1) : 0.0);
}

float compute(ivec4 at) {
    int index = Y_index(at);
    bool imaginary = OUT_PARTS == 2 && index % OUT_PARTS == 1;
    int place = index / OUT_PARTS;
    int inner = place % INNER_COUNT;
    int k = place / INNER_COUNT % OUT_COUNT;
    int outer = place / INNER_COUNT / OUT_COUNT;
    float sum = 0.0;

    for (int n = 0; n < TERMS; n++) {
        vec2 x = x_at(outer, n, inner);
        int step = (k * n) % LENGTH;
        vec2 turn = vec2(TABLE(ivec4(0, 0, 0, step)), SIGN * TABLE(ivec4(0, 0, 1, step)));
        float term = imaginary ? x.x * turn.y + x.y * turn.x : x.x * turn.x - x.y * turn.y;
        sum += MIRRORED && n > 0 && 2 * n != LENGTH ? 2.0 * term : term;
    }
    return FACTOR * sum;
}
