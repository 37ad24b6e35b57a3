// Softplus: y = ln(1 + e^x)

float unary(float x) {
    return softplus(x);
}
