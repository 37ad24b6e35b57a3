// y[o, j, i] = x[o, index[j], i]

float compute(ivec4 at) {
    int index = Y_index(at);
    int inner = index % INNER_COUNT;
    int which = index / INNER_COUNT % INDEX_COUNT;
    int outer = index / INNER_COUNT / INDEX_COUNT;
    int picked = wrapped(I_linear(which), AXIS_COUNT);
    return X_linear((outer * AXIS_COUNT + picked) * INNER_COUNT + inner);
}
