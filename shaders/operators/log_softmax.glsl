// y[o,a,i] = x[o,a,i] − m − ln Σ_k exp(x[o,k,i] − m),  m = max_k x[o,k,i]

float compute(ivec4 at) {
    int index = Y_index(at);
    int first = index / (AXIS_COUNT * INNER_COUNT) * (AXIS_COUNT * INNER_COUNT) + index % INNER_COUNT;

    float largest = X_linear(first);
    for (int k = 1; k < AXIS_COUNT; k++)
        largest = max(largest, X_linear(first + k * INNER_COUNT));

    float sum = 0.0;
    for (int k = 0; k < AXIS_COUNT; k++)
        sum += exp(X_linear(first + k * INNER_COUNT) - largest);
    return X_linear(index) - largest - ln(sum);
}
