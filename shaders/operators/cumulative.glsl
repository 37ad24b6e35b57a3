// y[…, a, …] = x[…, 0, …] ∘ … ∘ x[…, a, …]; without the last if EXCLUSIVE, from the other end if REVERSE

float compute(ivec4 at) {
    int index = Y_index(at);
    int a = index / AXIS_STRIDE % AXIS_COUNT;
    int last = EXCLUSIVE ? (REVERSE ? a + 1 : a - 1) : a;
    float y = START;
    if (REVERSE)
        for (int k = AXIS_COUNT - 1; k >= last; k--) y = binary(y, X_linear(index + (k - a) * AXIS_STRIDE));
    else
        for (int k = 0; k <= last; k++) y = binary(y, X_linear(index + (k - a) * AXIS_STRIDE));
    return y;
}
