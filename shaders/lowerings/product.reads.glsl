// Reads for a product of matrices four neighbours of `A` along k, by linear index. A parity is a pair of matrices.

ivec3 origin_of(int parity, int row) {
    return ivec3(row < u_places.z ? row : -1, u_parities[parity].z, 0);
}

vec4 texel_of(ivec3 origin, int b, int k, int end) {
    vec4 v = vec4(0.0);
    if (k >= end || origin.x < 0) return v;
    int first = origin.y * u_places.z * INNER;
    first += A_IS_TRANSPOSED ? 4 * k * u_places.z + origin.x : origin.x * INNER + 4 * k;
#ifdef A_IN_FOURS
    return A_four(first / 4);
#else
    for (int i = 0; i < 4; i++)
        if (4 * k + i < INNER) v[i] = A_linear(first + i * (A_IS_TRANSPOSED ? u_places.z : 1));
    return v;
#endif
}
