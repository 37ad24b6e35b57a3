// y[p] = x[last of block 0] ∘ … ∘ x[last of the block before p's] ∘ x[p],  x folded inside each block already; without
// the element itself if EXCLUSIVE: x[p − 1] in place of x[p], or nothing for the first of a block

float compute(ivec4 at) {
    int index = Y_index(at);
    int a = index / AXIS_STRIDE % AXIS_COUNT;
    int p = REVERSE ? AXIS_COUNT - 1 - a : a;
    int step = REVERSE ? -AXIS_STRIDE : AXIS_STRIDE;
    float y = START;

    for (int b = 0; b < p / BLOCK; b++) y = binary(y, X_linear(index + (b * BLOCK + BLOCK - 1 - p) * step));
    if (!EXCLUSIVE) return binary(y, X_linear(index));
    return p % BLOCK == 0 ? y : binary(y, X_linear(index - step));
}
