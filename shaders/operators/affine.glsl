// y[i₀, i₁, …] = x_flat[offset + Σ_d stride_d · i_d]

float compute(ivec4 at) {
    int rest = Y_index(at);
    int from = OFFSET;
    for (int d = RANK - 1; d >= 0; d--) {
        from += rest % SIZES[d] * STRIDES[d];
        rest /= SIZES[d];
    }
    return X_linear(from);
}
