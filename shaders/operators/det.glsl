// y[i] = det x[i] = Σ_σ sgn σ · Π_r x[i, r, σ(r)], for matrices of up to four rows; of four by minors of two

float a(int first, int r, int c) {
    return X_linear(first + r * N + c);
}

float minor_of(int first, int r, int c, int d) {
    return a(first, r, c) * a(first, r + 1, d) - a(first, r, d) * a(first, r + 1, c);
}

float compute(ivec4 at) {
    int first = Y_index(at) * N * N;
    if (N == 1) return a(first, 0, 0);
    if (N == 2) return minor_of(first, 0, 0, 1);
    if (N == 3)
        return a(first, 0, 0) * minor_of(first, 1, 1, 2) - a(first, 0, 1) * minor_of(first, 1, 0, 2)
            + a(first, 0, 2) * minor_of(first, 1, 0, 1);
    return minor_of(first, 0, 0, 1) * minor_of(first, 2, 2, 3) - minor_of(first, 0, 0, 2) * minor_of(first, 2, 1, 3)
        + minor_of(first, 0, 0, 3) * minor_of(first, 2, 1, 2) + minor_of(first, 0, 1, 2) * minor_of(first, 2, 0, 3)
        - minor_of(first, 0, 1, 3) * minor_of(first, 2, 0, 2) + minor_of(first, 0, 2, 3) * minor_of(first, 2, 0, 1);
}
