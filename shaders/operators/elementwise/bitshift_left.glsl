// BitShift to the left: y = a · 2^b; 0 for a shift out of the type

float binary(float a, float b) {
    return b < 0.0 || b > 63.0 ? 0.0 : a * intBitsToFloat((127 + int(b)) << 23);
}
