// IsNaN: y = 1 for NaN, else 0

float unary(float x) {
    return is_nan(x) ? 1.0 : 0.0;
}
