// The elements combined in one output element: x_flat[first_of(index of y) + place_of(k)], k < REDUCED_COUNT

int first_of(int index) {
    int from = 0;
    for (int d = KEPT_RANK - 1; d >= 0; d--) {
        from += index % KEPT_SIZES[d] * KEPT_STRIDES[d];
        index /= KEPT_SIZES[d];
    }
    return from;
}

int place_of(int k) {
    int from = 0;
    for (int d = REDUCED_RANK - 1; d >= 0; d--) {
        from += k % REDUCED_SIZES[d] * REDUCED_STRIDES[d];
        k /= REDUCED_SIZES[d];
    }
    return from;
}
