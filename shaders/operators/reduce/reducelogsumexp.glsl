// ReduceLogSumExp: y = m + ln Σ_k e^(x_k − m),  m = max_k x_k

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float most = X_linear(first);
    for (int k = 1; k < REDUCED_COUNT; k++) most = greater_of(most, X_linear(first + place_of(k)));
    if (is_infinite(most)) return most;

    float sum = 0.0;
    for (int k = 0; k < REDUCED_COUNT; k++) sum += exp(X_linear(first + place_of(k)) - most);
    return most + ln(sum);
}
