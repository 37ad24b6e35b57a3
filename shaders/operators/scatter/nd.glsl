// y[p, i] = x[p, i] ∘ every update[t, i] whose tuple index[t, 0], index[t, 1], … is p

float compute(ivec4 at) {
    int index = Y_index(at);
    float y = X_linear(index);
    for (int t = 0; t < TUPLES; t++) {
        int place = 0;
        for (int k = 0; k < TUPLE_LENGTH; k++)
            place += wrapped(I_linear(t * TUPLE_LENGTH + k), SIZES[k]) * STRIDES[k];
        if (place == index / INNER_COUNT) y = binary(y, U_linear(t * INNER_COUNT + index % INNER_COUNT));
    }
    return y;
}
