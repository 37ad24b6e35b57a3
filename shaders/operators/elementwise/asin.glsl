// Asin: y = sin⁻¹ x

float unary(float x) {
    return arcsin(x);
}
