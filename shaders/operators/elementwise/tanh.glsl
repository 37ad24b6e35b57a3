// Tanh: y = tanh x

float unary(float x) {
    return hyperbolic_tangent(x);
}
