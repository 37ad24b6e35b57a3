// y[o,a,i] = how many of its axis beat x[o,a,i]; of equal ones the first beats the others

float compute(ivec4 at) {
    int index = Y_index(at);
    int a = index / INNER_COUNT % AXIS_COUNT;
    int first = index - a * INNER_COUNT;
    float x = SIGN * X_linear(index);
    int beaten_by = 0;

    for (int b = 0; b < AXIS_COUNT; b++) {
        float other = SIGN * X_linear(first + b * INNER_COUNT);
        if (other > x || (other == x && b < a)) beaten_by++;
    }
    return float(beaten_by);
}
