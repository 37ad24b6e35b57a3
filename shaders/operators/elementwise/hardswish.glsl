// HardSwish: y = x · min(max(x/6 + ½, 0), 1)

float unary(float x) {
    float gate = x / 6.0 + 0.5;
    return is_nan(x) ? x : x * clamp(gate, 0.0, 1.0);
}
