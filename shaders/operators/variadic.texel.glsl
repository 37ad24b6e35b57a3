// y = (x₀ ∘ x₁ ∘ …) / divisor, all of one shape;  one of them in the lane and texel of y

float compute_here(int lane) {
    float y = X_here_of(0, lane);
    for (int k = 1; k < INPUTS; k++) y = binary(y, X_here_of(k, lane));
    return y / DIVISOR;
}
