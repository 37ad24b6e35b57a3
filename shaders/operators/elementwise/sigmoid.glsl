// Sigmoid: y = 1 / (1 + e^−x)

float unary(float x) {
    return sigmoid(x);
}
