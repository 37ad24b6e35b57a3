// Mod: y = a − b·⌊a / b⌋, the remainder with the sign of b

float binary(float a, float b) {
    float left = remainder_towards_zero(a, b);
    return left != 0.0 && (left < 0.0) != (b < 0.0) ? left + b : left;
}
