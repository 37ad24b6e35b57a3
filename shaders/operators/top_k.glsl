// y[o, j, i] = the x[o, a, i] that j others of its axis beat, or its a; of equal ones the first beats the others

float compute(ivec4 at) {
    int index = Y_index(at);
    int j = index / INNER_COUNT % KEPT;
    int first = index / INNER_COUNT / KEPT * AXIS_COUNT * INNER_COUNT + index % INNER_COUNT;
    float y = 0.0;
    int place = 0;
    for (int a = 0; a < AXIS_COUNT; a++) {
        float x = SIGN * X_linear(first + a * INNER_COUNT);
        int beaten_by = 0;
        for (int b = 0; b < AXIS_COUNT; b++) {
            float other = SIGN * X_linear(first + b * INNER_COUNT);
            if (other > x || (other == x && b < a)) beaten_by++;
        }
        if (beaten_by == j) {
            y = SIGN * x;
            place = a;
        }
    }
    return INDICES ? float(place) : y;
}
