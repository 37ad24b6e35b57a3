// y[g,b] = scale · Σ_k f(x[g,k] − m[g]),  k over block b of the elements of group g, f(d) = d, |d|, d² or e^d; without m, m = 0
//
// Four elements at a time: blocks come in whole texels.

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
    vec4 sum = vec4(0.0);

    for (int k = begin; k < end; k += 4) {
        vec4 distance = X_four((from + k) / 4) - mean;
        sum += SQUARE ? distance * distance : EXPONENTIAL ? exp(distance) : ABSOLUTE ? abs(distance) : distance;
    }
    return SCALE * ((sum.x + sum.y) + (sum.z + sum.w));
}
