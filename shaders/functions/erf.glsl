// erf x = x + x·P(x²) near 0, 1 − e^Q(|x|) beyond; minimax coefficients
float erf(float x) {
    float t = abs(x);
    float s = x * x;
    if (t > 0.927734375) {
        float q = -1.72853470e-5 * t + 3.83197126e-4;
        float r = -3.88396438e-3 * t + 2.42546219e-2;
        q = q * s + r;
        q = q * t - 1.06777877e-1;
        q = q * t - 6.34846687e-1;
        q = q * t - 1.28717512e-1;
        q = 1.0 - exp(q * t - t);
        return x < 0.0 ? -q : q;
    }
    float p = -5.96761703e-4;
    p = p * s + 4.99119423e-3;
    p = p * s - 2.67681349e-2;
    p = p * s + 1.12819925e-1;
    p = p * s - 3.76125336e-1;
    p = p * s + 1.28379166e-1;
    return p * x + x;
}
