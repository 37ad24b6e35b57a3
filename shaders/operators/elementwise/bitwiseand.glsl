// BitwiseAnd: bits that are set in both

float binary(float a, float b) {
    return float(int(a) & int(b));
}
