// y[o,a,i] = 1 for the first a with x[o,a,i] = max_k x[o,k,i], 0 for the others

float compute(ivec4 at) {
    int index = Y_index(at);
    int first = index / (AXIS_COUNT * INNER_COUNT) * (AXIS_COUNT * INNER_COUNT) + index % INNER_COUNT;
    int found = first;
    float largest = X_linear(first);

    for (int k = 1; k < AXIS_COUNT; k++) {
        float x = X_linear(first + k * INNER_COUNT);
        if (x > largest) {
            largest = x;
            found = first + k * INNER_COUNT;
        }
    }
    return found == index ? 1.0 : 0.0;
}
