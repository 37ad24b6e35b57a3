// y[i,j] = α · Σ_k a[i,k] · b[k,j] + β · c[i,j],  with aᵀ or bᵀ where transposed, c repeated along its axes of 1

float product(int i, int j, int k) {
    return A(TRANSPOSE_A ? ivec4(0, 0, k, i) : ivec4(0, 0, i, k)) * B(TRANSPOSE_B ? ivec4(0, 0, j, k) : ivec4(0, 0, k, j));
}

float compute(ivec4 at) {
    int i = at.z;
    int j = at.w;
    float sum = 0.0;

    // Four at a time: software drivers end a fragment's loops after 65,535 turns.
    int k = 0;
    for (; k + 4 <= INNER_COUNT; k += 4)
        sum += product(i, j, k) + product(i, j, k + 1) + product(i, j, k + 2) + product(i, j, k + 3);
    for (; k < INNER_COUNT; k++)
        sum += product(i, j, k);

    sum *= ALPHA;
#ifdef HAS_C
    sum += BETA * C(min(at, C_shape - 1));
#endif
    return sum;
}
