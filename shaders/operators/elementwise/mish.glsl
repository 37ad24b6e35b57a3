// Mish: y = x · tanh(ln(1 + e^x)) = x · n / (n + 2), n = e^x·(e^x + 2)

float unary(float x) {
    if (x > 20.0) return x;
    float e = exp(x);
    float n = e * (e + 2.0);
    return x * (n / (n + 2.0));
}
