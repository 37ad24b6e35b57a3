// LpPool: y = (Σ |x|^p)^(1/p)

float sum;
float row;

void start() {
    sum = 0.0;
    row = 0.0;
}

void see(float x, ivec3 place) {
    float power = abs(x);
    for (int i = 1; i < P; i++) power *= abs(x);
    row += power;
}

// Rows are summed by themselves: rounding then grows with their length and number, not with the product.
void end_row() {
    sum += row;
    row = 0.0;
}

float result(int channel, int taps) {
    if (P == 1) return sum;
    return P == 2 ? sqrt(sum) : power(sum, 1.0 / float(P));
}
