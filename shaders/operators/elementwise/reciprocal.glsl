// Reciprocal: y = 1 / x

float unary(float x) {
    return 1.0 / x;
}
