// Softsign: y = x / (1 + |x|)

float unary(float x) {
    return x / (1.0 + abs(x));
}
