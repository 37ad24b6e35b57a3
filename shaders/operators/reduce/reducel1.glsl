// ReduceL1: y = Σ_k |x_k|

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float sum = 0.0;
    for (int k = 0; k < REDUCED_COUNT; k++) sum += abs(X_linear(first + place_of(k)));
    return sum;
}
