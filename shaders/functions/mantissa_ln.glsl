// ln(1 + f) − f for √½ ≤ 1 + f < √2; coefficients: Cephes, logf
float mantissa_ln(float f) {
    float p = 7.0376836292e-2;
    p = p * f - 1.1514610310e-1;
    p = p * f + 1.1676998740e-1;
    p = p * f - 1.2420140846e-1;
    p = p * f + 1.4249322787e-1;
    p = p * f - 1.6668057665e-1;
    p = p * f + 2.0000714765e-1;
    p = p * f - 2.4999993993e-1;
    p = p * f + 3.3333331174e-1;
    float square = f * f;
    return p * f * square - 0.5 * square;
}
