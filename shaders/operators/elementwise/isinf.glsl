// IsInf: y = 1 for an infinity of a requested sign, else 0

float unary(float x) {
    bool asked = x > 0.0 ? DETECT_POSITIVE != 0.0 : DETECT_NEGATIVE != 0.0;
    return asked && is_infinite(x) ? 1.0 : 0.0;
}
