// Gelu: y = x/2 · (1 + tanh(√(2/π)·(x + 0.044715·x³)))

float unary(float x) {
    return 0.5 * x * (1.0 + hyperbolic_tangent(0.7978845608 * (x + 0.044715 * x * x * x)));
}
