// y[i₀, i₁, …] = condition[…] ? a[…] : b[…], axes of size 1 repeated: their stride is 0

float compute(ivec4 at) {
    int rest = Y_index(at);
    ivec3 from = ivec3(0);
    for (int d = RANK - 1; d >= 0; d--) {
        from += rest % SIZES[d] * ivec3(STRIDES[d], STRIDES[RANK + d], STRIDES[2 * RANK + d]);
        rest /= SIZES[d];
    }
    float a = A_linear(from.y);
    float b = B_linear(from.z);
    return CONDITION_linear(from.x) != 0.0 ? a : b;
}
