// y[b, t, i] = x[b, index[b, t, 0], index[b, t, 1], …, i]

float compute(ivec4 at) {
    int index = Y_index(at);
    int which = index / INNER_COUNT;
    int from = which / TUPLES_PER_BATCH * BATCH_COUNT + index % INNER_COUNT;
    for (int k = 0; k < TUPLE_LENGTH; k++)
        from += wrapped(I_linear(which * TUPLE_LENGTH + k), SIZES[k]) * STRIDES[k];
    return X_linear(from);
}
