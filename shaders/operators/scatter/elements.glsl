// y[…, a, …] = x[…, a, …] ∘ every update[…, j, …] with index[…, j, …] = a

float compute(ivec4 at) {
    int index = Y_index(at);
    float y = X_linear(index);

    int a = 0;
    int first = 0;
    for (int d = RANK - 1; d >= 0; d--) {
        int place = index % SIZES[d];
        index /= SIZES[d];
        if (d == AXIS) a = place;
        else if (place >= INDEX_SIZES[d]) return y;
        else first += place * INDEX_STRIDES[d];
    }
    for (int j = 0; j < INDEX_SIZES[AXIS]; j++) {
        int from = first + j * INDEX_STRIDES[AXIS];
        if (wrapped(I_linear(from), SIZES[AXIS]) == a) y = binary(y, U_linear(from));
    }
    return y;
}
