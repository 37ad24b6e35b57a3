// Reads four neighbours of a product's second matrix along its columns, by linear index.

vec4 weight_of(int b, int k, int c, int group, int end) {
    vec4 w = vec4(0.0);
    if (4 * k + c >= INNER || k >= end || group >= u_y.w) return w;
    int first = (b * INNER + 4 * k + c) * COLUMNS_OF_Y + 4 * group;
#ifdef B_IN_FOURS
    return B_four(first / 4);
#else
    for (int i = 0; i < 4; i++)
        if (4 * group + i < COLUMNS_OF_Y) w[i] = B_linear(first + i);
    return w;
#endif
}
