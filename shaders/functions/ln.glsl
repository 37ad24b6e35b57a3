// ln x = e·ln 2 + ln(1 + f), x = 2^e·(1 + f), √½ ≤ 1 + f < √2: within 1 ulp also near 1, where log() may be far off.
// NaN below 0, −∞ at 0.
float ln(float x) {
    if (x < 0.0 || is_nan(x)) return uintBitsToFloat(0x7fc00000u);
    if (x == 0.0) return uintBitsToFloat(0xff800000u);
    if (is_infinite(x)) return x;
    int bits = floatBitsToInt(x) - 0x3f3504f3;
    float e = float(bits >> 23);
    float f = intBitsToFloat((bits & 0x007fffff) + 0x3f3504f3) - 1.0;
    return f + (mantissa_ln(f) + e * -2.12194440e-4) + e * 0.693359375;
}
