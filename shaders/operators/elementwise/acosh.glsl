// Acosh: y = ln(x + √(x² − 1)), written for t = x − 1 so that nothing cancels near 1

float unary(float x) {
    if (x < 1.0) return uintBitsToFloat(0x7fc00000u);
    if (x > 1e9) return ln(x) + 0.6931471806;
    float t = x - 1.0;
    return log1p(t + sqrt(t * (t + 2.0)));
}
