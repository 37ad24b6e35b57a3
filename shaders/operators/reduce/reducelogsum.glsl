// ReduceLogSum: y = ln Σ_k x_k

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float sum = 0.0;
    for (int k = 0; k < REDUCED_COUNT; k++) sum += X_linear(first + place_of(k));
    return INTEGER ? trunc(ln(sum)) : ln(sum);
}
