// Atan: y = tan⁻¹ x

float unary(float x) {
    return arctan(x);
}
