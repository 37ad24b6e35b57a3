// y[o,j,i] = the x[o,a,i] whose rank r[o,a,i] is j, or its a if INDICES

float compute(ivec4 at) {
    int index = Y_index(at);
    int j = index / INNER_COUNT % KEPT;
    int first = index / INNER_COUNT / KEPT * AXIS_COUNT * INNER_COUNT + index % INNER_COUNT;
    int found = 0;

    for (int a = 0; a < AXIS_COUNT; a++)
        if (int(R_linear(first + a * INNER_COUNT)) == j) found = a;
    return INDICES ? float(found) : X_linear(first + found * INNER_COUNT);
}
