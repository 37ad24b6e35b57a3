// y[n,c,i] = x[n,c,i] / (bias + scale · Σ_j x[n,j,i]²)^β,  j from c − before to c − before + window − 1 inside the axis,
// or, with repeated edges, the nearest element of the axis

float compute(ivec4 at) {
    int index = Y_index(at);
    int c = index / INNER_COUNT % CHANNELS;
    float sum = 0.0;

    for (int tap = 0; tap < WINDOW; tap++) {
        int j = c - BEFORE + tap;
        if (REPEAT_EDGE) j = clamp(j, 0, CHANNELS - 1);
        if (j < 0 || j >= CHANNELS) continue;
        float x = X_linear(index + (j - c) * INNER_COUNT);
        sum += x * x;
    }
    return X_linear(index) / power(BIAS + SCALE * sum, BETA);
}
