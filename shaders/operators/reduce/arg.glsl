// y = the k with the largest SIGN·x_k: the first, or the last if LAST; the first NaN if there is one

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float best = SIGN * X_linear(first);
    int where = 0;
    for (int k = 1; k < REDUCED_COUNT; k++) {
        float x = SIGN * X_linear(first + place_of(k));
        if (is_nan(best)) continue;
        if (is_nan(x) || x > best || (LAST && x == best)) {
            best = x;
            where = k;
        }
    }
    return float(where);
}
