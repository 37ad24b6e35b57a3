// Sinh: y = (e^x − e^−x) / 2; near 0, where that cancels, from e^x − 1

float unary(float x) {
    float size = abs(x);
    float y;
    if (size < 1.0) {
        float m = expm1(size);
        y = 0.5 * (m + m / (m + 1.0));
    } else {
        float half_power = exp(0.5 * size);
        y = 0.5 * half_power * half_power - 0.5 / half_power / half_power;
    }
    return x < 0.0 ? -y : y;
}
