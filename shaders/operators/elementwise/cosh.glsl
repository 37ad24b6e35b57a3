// Cosh: y = (e^x + e^−x) / 2, as halves so that it overflows only where y does

float unary(float x) {
    float half_power = exp(0.5 * abs(x));
    return 0.5 * half_power * half_power + 0.5 / half_power / half_power;
}
