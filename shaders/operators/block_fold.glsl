// y[g,b] = x[g,k] ∘ …,  k over block b of the elements of group g

float compute(ivec4 at) {
    int index = Y_index(at);
    int from = first_of(index / BLOCKS);
    int begin = index % BLOCKS * BLOCK;
    int end = min(begin + BLOCK, REDUCED_COUNT);
    float y = X_linear(from + place_of(begin));

    for (int k = begin + 1; k < end; k++) y = binary(y, X_linear(from + place_of(k)));
    return y;
}
