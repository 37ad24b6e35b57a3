// y[b, …, first[b] + j, …] = update[b, …, j, …], modulo the axis if CIRCULAR; the cache x elsewhere

float compute(ivec4 at) {
    int index = Y_index(at);
    int inner = index % INNER_COUNT;
    int place = index / INNER_COUNT % AXIS_COUNT;
    int outer = index / INNER_COUNT / AXIS_COUNT;
#ifdef HAS_FIRST
    int j = place - int(FIRST_linear(index / BATCH_COUNT));
#else
    int j = place;
#endif
    if (CIRCULAR && j < 0) j += AXIS_COUNT;
    if (j < 0 || j >= UPDATE_COUNT) return X_linear(index);
    return U_linear((outer * UPDATE_COUNT + j) * INNER_COUNT + inner);
}
