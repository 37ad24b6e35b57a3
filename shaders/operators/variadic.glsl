// y = (x₀ ∘ x₁ ∘ …) / divisor, all of one shape

float compute(ivec4 at) {
    float y = X_of(0, at);
    for (int k = 1; k < INPUTS; k++) y = binary(y, X_of(k, at));
    return y / DIVISOR;
}
