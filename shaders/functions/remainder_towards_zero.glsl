// a − b·trunc(a / b) without rounding, by long division of the 24-bit mantissas, eight bits at a time (as C's fmod)
float remainder_towards_zero(float a, float b) {
    uint bits_a = floatBitsToUint(a) & 0x7fffffffu;
    uint bits_b = floatBitsToUint(b) & 0x7fffffffu;
    if (bits_a >= 0x7f800000u || bits_b > 0x7f800000u || bits_b < 0x00800000u) return uintBitsToFloat(0x7fc00000u);
    if (bits_a < bits_b || bits_a < 0x00800000u) return a;

    int exponent_b = int(bits_b >> 23);
    uint divisor = (bits_b & 0x007fffffu) | 0x00800000u;
    uint rest = ((bits_a & 0x007fffffu) | 0x00800000u) % divisor;
    for (int left = int(bits_a >> 23) - exponent_b; left > 0; left -= 8)
        rest = (rest << uint(min(left, 8))) % divisor;

    float size = float(rest) * intBitsToFloat(max(exponent_b - 23, 1) << 23);
    if (exponent_b < 24) size *= intBitsToFloat((exponent_b + 127 - 24) << 23);
    return a < 0.0 ? -size : size;
}
