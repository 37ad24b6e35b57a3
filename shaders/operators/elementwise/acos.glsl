// Acos: y = cos⁻¹ x, by the half-angle where π/2 − sin⁻¹ x would cancel

float unary(float x) {
    if (x > 0.5) return 2.0 * arcsin(square_root(0.5 - 0.5 * x));
    if (x < -0.5) return 3.141592654 - 2.0 * arcsin(square_root(0.5 + 0.5 * x));
    return 1.570796327 - arcsin(x);
}
