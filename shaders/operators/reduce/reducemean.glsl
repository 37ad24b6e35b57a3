// ReduceMean: y = Σ_k x_k / n; towards zero for integers

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float sum = 0.0;
    for (int k = 0; k < REDUCED_COUNT; k++) sum += X_linear(first + place_of(k));
    if (!INTEGER) return sum / float(REDUCED_COUNT);
    int quotient = int(abs(sum)) / REDUCED_COUNT;
    return float(sum < 0.0 ? -quotient : quotient);
}
