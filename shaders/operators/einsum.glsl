// y[out] = Σ_sum Π_j x_j[labels of j],  each label an axis of the output (out) or summed over (sum)
//
// Operand j is read at Σ stride · place over the output's labels, then over the summed ones; a label that an operand
// does not have, or repeats, has the stride 0 there.

int place_in(int operand, int index, int sizes[RANK], int strides[RANK * OPERANDS]) {
    int from = 0;
    for (int d = RANK - 1; d >= 0; d--) {
        from += index % sizes[d] * strides[operand * RANK + d];
        index /= sizes[d];
    }
    return from;
}

float term(int out_index, int sum_index) {
    float product = 1.0;
    for (int j = 0; j < OPERANDS; j++) {
        int from = place_in(j, out_index, OUT_SIZES, OUT_STRIDES) + place_in(j, sum_index, SUM_SIZES, SUM_STRIDES);
        product *= X_linear_of(j, from);
    }
    return product;
}

float compute(ivec4 at) {
    int index = Y_index(at);
    float sum = 0.0;

    // Four at a time: software drivers end a fragment's loops after 65,535 turns.
    int k = 0;
    for (; k + 4 <= SUM_COUNT; k += 4)
        sum += term(index, k) + term(index, k + 1) + term(index, k + 2) + term(index, k + 3);
    for (; k < SUM_COUNT; k++)
        sum += term(index, k);
    return sum;
}
