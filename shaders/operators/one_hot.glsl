// y[o, a, i] = on where a = index[o, i] (counted from the end if negative), else off;  off, on = values

float compute(ivec4 at) {
    int index = Y_index(at);
    int a = index / INNER_COUNT % DEPTH;
    int hot = wrapped(I_linear(index / INNER_COUNT / DEPTH * INNER_COUNT + index % INNER_COUNT), DEPTH);
    float off = V_linear(0);
    float on = V_linear(1);
    return a == hot ? on : off;
}
