// ReduceMax: y = max_k x_k, NaN if there is one

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float most = X_linear(first);
    for (int k = 1; k < REDUCED_COUNT; k++) most = greater_of(most, X_linear(first + place_of(k)));
    return most;
}
