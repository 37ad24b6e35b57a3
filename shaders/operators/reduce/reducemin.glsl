// ReduceMin: y = min_k x_k, NaN if there is one

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float least = X_linear(first);
    for (int k = 1; k < REDUCED_COUNT; k++) least = lesser_of(least, X_linear(first + place_of(k)));
    return least;
}
