// y[i₀, i₁, …] = x[first₀ + source(i₀ − before₀), first₁ + source(i₁ − before₁), …]; a constant where that is outside x
//
// What negative amounts cut off goes first: an axis has SIZES elements left, from FIRST on.

// MODE: 0 constant, 1 edge, 2 reflect, 3 wrap. −1 is outside.
int source(int i, int count) {
    if (MODE == 1) return clamp(i, 0, count - 1);
    if (MODE == 2) {
        int period = max(2 * (count - 1), 1);
        int back = abs(i) % period;
        return min(back, period - back) % count;
    }
    if (MODE == 3) return i >= 0 ? i % count : count - 1 - (-1 - i) % count;
    return i >= 0 && i < count ? i : -1;
}

float compute(ivec4 at) {
    int rest = Y_index(at);
    int from = 0;
    bool outside = false;
    for (int d = RANK - 1; d >= 0; d--) {
        int i = source(rest % OUT_SIZES[d] - BEFORE[d], SIZES[d]);
        outside = outside || i < 0;
        from += (FIRST[d] + i) * STRIDES[d];
        rest /= OUT_SIZES[d];
    }
#ifdef HAS_V
    return outside ? V(ivec4(0)) : X_linear(from);
#else
    return outside ? FILL : X_linear(from);
#endif
}
