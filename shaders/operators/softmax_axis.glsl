// A softmax defines share(x[o,a,i] − m, Σ_k exp(x[o,k,i] − m)), where m is the largest along the axis

float compute(ivec4 at) {
    int index = Y_index(at);
    int first = index / (AXIS_COUNT * INNER_COUNT) * (AXIS_COUNT * INNER_COUNT) + index % INNER_COUNT;

    float largest = X_linear(first);
    for (int k = 1; k < AXIS_COUNT; k++)
        largest = max(largest, X_linear(first + k * INNER_COUNT));

    float sum = 0.0;
    for (int k = 0; k < AXIS_COUNT; k++)
        sum += exp(X_linear(first + k * INNER_COUNT) - largest);
    return share(X_linear(index) - largest, sum);
}
