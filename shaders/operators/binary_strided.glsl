// y[i₀, i₁, …] = f(a[…], b[…]), axes of size 1 repeated: their stride is 0

float compute(ivec4 at) {
    int rest = Y_index(at);
    int a = 0;
    int b = 0;
    for (int d = RANK - 1; d >= 0; d--) {
        int place = rest % SIZES[d];
        rest /= SIZES[d];
        a += place * A_STRIDES[d];
        b += place * B_STRIDES[d];
    }
    return binary(A_linear(a), B_linear(b));
}
