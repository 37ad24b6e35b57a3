// Relu: y = max(x, 0), NaN kept

float unary(float x) {
    return greater_of(x, 0.0);
}
