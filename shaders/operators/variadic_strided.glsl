// y[i₀, i₁, …] = (x₀[…] ∘ x₁[…] ∘ …) / divisor, axes of size 1 repeated: their stride is 0

float x_at(int which, int index) {
    int from = 0;
    for (int d = RANK - 1; d >= 0; d--) {
        from += index % SIZES[d] * STRIDES[which * RANK + d];
        index /= SIZES[d];
    }
    return X_linear_of(which, from);
}

float compute(ivec4 at) {
    int index = Y_index(at);
    float y = x_at(0, index);
    for (int k = 1; k < INPUTS; k++) y = binary(y, x_at(k, index));
    return y / DIVISOR;
}
