// y[n,c,i] = (x[n,c,i] − mean[c]) · scale[c] / √(variance[c] + ε) + bias[c]

float compute(ivec4 at) {
    int c = Y_index(at) / INNER_COUNT % PARAMETER_COUNT;
    float factor = SCALE_linear(c) / sqrt(VARIANCE_linear(c) + EPSILON);
    return (X(at) - MEAN_linear(c)) * factor + BIAS_linear(c);
}
