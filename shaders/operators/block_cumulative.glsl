// y[p] = x[first of p's block] ∘ … ∘ x[p],  p the place on the axis, from the other end if REVERSE

float compute(ivec4 at) {
    int index = Y_index(at);
    int a = index / AXIS_STRIDE % AXIS_COUNT;
    int p = REVERSE ? AXIS_COUNT - 1 - a : a;
    int step = REVERSE ? -AXIS_STRIDE : AXIS_STRIDE;
    float y = START;

    for (int k = p / BLOCK * BLOCK; k <= p; k++) y = binary(y, X_linear(index + (k - p) * step));
    return y;
}
