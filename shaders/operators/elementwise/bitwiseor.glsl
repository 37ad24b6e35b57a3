// BitwiseOr: bits that are set in a or b

float binary(float a, float b) {
    return float(int(a) | int(b));
}
