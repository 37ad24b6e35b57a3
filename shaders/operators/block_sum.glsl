// y[g,b] = scale · Σ_k f(x[g,k] − m[g]),  k over block b of the elements of group g, f(d) = d, |d|, d² or e^d; without m, m = 0

float compute(ivec4 at) {
    int index = Y_index(at);
    int group = index / BLOCKS;
    int from = first_of(group);
    int begin = index % BLOCKS * BLOCK;
    int end = min(begin + BLOCK, REDUCED_COUNT);
    float mean = 0.0;
#ifdef HAS_M
    mean = M_linear(group);
#endif
    float sum = 0.0;

    for (int k = begin; k < end; k++) {
        float distance = X_linear(from + place_of(k)) - mean;
        sum += SQUARE ? distance * distance : EXPONENTIAL ? exp(distance) : ABSOLUTE ? abs(distance) : distance;
    }
    return SCALE * sum;
}
