// y = exp(x − m[g]) / s[g],  or in logarithms  x − m[g] − ln s[g],  g the group of the element

float compute(ivec4 at) {
    int index = Y_index(at);
    int group = index / (AXIS_COUNT * INNER_COUNT) * INNER_COUNT + index % INNER_COUNT;
    float distance = X_linear(index) - M_linear(group);
    return LOGARITHM ? distance - ln(S_linear(group)) : exp(distance) / S_linear(group);
}
