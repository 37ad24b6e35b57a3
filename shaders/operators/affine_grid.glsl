// y[n, …, i] = Σ_j θ[n,i,j]·p_j + θ[n,i,last];  p_j = −1 + 2·k/(size − 1) with corners aligned, else −1 + (2·k + 1)/size

float compute(ivec4 at) {
    int index = Y_index(at);
    int i = index % AXES;
    index /= AXES;

    float place[AXES];
    for (int j = 0; j < AXES; j++) {
        int k = index % SIZES[j];
        index /= SIZES[j];
        place[j] = ALIGN_CORNERS ? float(2 * k) / float(SIZES[j] - 1) : float(2 * k + 1) / float(SIZES[j]);
    }
    int row = (index * AXES + i) * (AXES + 1);
    float sum = THETA_linear(row + AXES);
    for (int j = 0; j < AXES; j++) sum += THETA_linear(row + j) * (place[j] - 1.0);
    return sum;
}
