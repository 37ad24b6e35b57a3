// y[…, t, b, …] = x[…, length[b] − 1 − t, b, …] for t < length[b], else x[…, t, b, …]

float compute(ivec4 at) {
    int index = Y_index(at);
    int t = index / TIME_STRIDE % TIME_COUNT;
    int length = int(LENGTH_linear(index / BATCH_STRIDE % BATCH_COUNT));
    int from = t < length ? length - 1 - t : t;
    return X_linear(index + (from - t) * TIME_STRIDE);
}
