// Cast to a float that is an exponent alone: y = 2^e; ROUNDING: 0 down, 1 up, 2 to the nearest

float unary(float x) {
    uint bits = floatBitsToUint(x);
    uint exponent = (bits >> 23) & 255u;
    uint fraction = bits & 0x007fffffu;
    if (exponent == 255u) return uintBitsToFloat(0x7fc00000u);
    bool up = ROUNDING == 1 ? fraction > 0u : ROUNDING == 2 && (fraction > 0x400000u || (fraction == 0x400000u && exponent > 0u));
    if (up && (exponent < 254u || !SATURATE)) exponent += 1u;
    return exponent == 255u ? uintBitsToFloat(0x7fc00000u) : uintBitsToFloat(exponent == 0u ? 0x00400000u : exponent << 23);
}
