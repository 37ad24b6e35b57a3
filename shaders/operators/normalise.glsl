// y = (x − m[g]) / √(v[g] + ε) · s + b,  g the group of the element; with ε outside of the root, (x − m[g]) / (√v[g] + ε);
// without m, s or b: 0, 1, 0

int group_of(int index) {
    int group = 0;
    for (int d = GROUP_RANK - 1; d >= 0; d--) {
        group += index % GROUP_SIZES[d] * GROUP_STRIDES[d];
        index /= GROUP_SIZES[d];
    }
    return group;
}

int parameter_of(int index) {
    int parameter = 0;
    for (int d = PARAMETER_RANK - 1; d >= 0; d--) {
        parameter += index % PARAMETER_SIZES[d] * PARAMETER_STRIDES[d];
        index /= PARAMETER_SIZES[d];
    }
    return parameter;
}

float compute(ivec4 at) {
    int index = Y_index(at);
    int group = group_of(index);
    float y = X_linear(index);
#ifdef HAS_M
    y -= M_linear(group);
#endif
    float variance = V_linear(group);
    y /= OUTSIDE ? sqrt(variance) + EPSILON : sqrt(variance + EPSILON);
#ifdef HAS_S
    y *= S_linear(parameter_of(index));
#endif
#ifdef HAS_B
    y += B_linear(parameter_of(index));
#endif
    return y;
}
