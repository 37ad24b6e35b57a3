// BitShift to the right: y = ⌊a / 2^b⌋; 0 or −1 for a shift out of the type

float binary(float a, float b) {
    return b < 0.0 || b > 30.0 ? (a < 0.0 ? -1.0 : 0.0) : float(int(a) >> int(b));
}
