// e^x − 1 = x + x²·P(x) near 0, where exp(x) − 1 cancels; P fitted to (e^x − 1 − x) / x² at Chebyshev points
float expm1(float x) {
    if (!(abs(x) < 0.5)) return exp(x) - 1.0;
    float p = 1.9962186e-4;
    p = p * x + 1.3982197e-3;
    p = p * x + 8.333182e-3;
    p = p * x + 4.1665792e-2;
    p = p * x + 1.6666667e-1;
    p = p * x + 0.5;
    return x + x * x * p;
}
