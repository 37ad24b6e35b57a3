// y[…, a, …] = x[…, index[…, a, …], …]

float compute(ivec4 at) {
    int index = Y_index(at);
    int from = wrapped(I_linear(index), AXIS_COUNT) * AXIS_STRIDE;
    for (int d = RANK - 1; d >= 0; d--) {
        from += index % SIZES[d] * STRIDES[d];
        index /= SIZES[d];
    }
    return X_linear(from);
}
