// y[g,b] = the k in block b of group g with the largest SIGN·x[g,k]: the first, or the last if LAST; the first NaN if there
// is one. With candidates c, one a block of the group, the k is one of those

float compute(ivec4 at) {
    int index = Y_index(at);
    int from = first_of(index / BLOCKS);
    int begin = index % BLOCKS * BLOCK;
#ifdef HAS_C
    int count = CANDIDATES;
#else
    int count = min(BLOCK, REDUCED_COUNT - begin);
#endif
    float best = 0.0;
    int found = begin;

    for (int i = 0; i < count; i++) {
#ifdef HAS_C
        int k = int(C_linear(index * CANDIDATES + i));
#else
        int k = begin + i;
#endif
        float x = SIGN * X_linear(from + place_of(k));
        if (i > 0 && (is_nan(best) || !(is_nan(x) || x > best || (LAST && x == best)))) continue;
        best = x;
        found = k;
    }
    return float(found);
}
