// Gelu: y = x/2 · (1 + erf(x/√2))

float unary(float x) {
    return 0.5 * x * (1.0 + erf(x * 0.7071067812));
}
