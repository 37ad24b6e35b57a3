// x rounded to `bits` bits after the leading one, ties to even, as a format with that least exponent would
float round_to_bits(float x, int bits, int least_exponent) {
    int exponent = ((floatBitsToInt(x) >> 23) & 255) - 127;
    if (exponent > 127) return x;
    exponent = max(exponent, least_exponent);
    float per_step = intBitsToFloat((127 - exponent + bits) << 23);
    float step = intBitsToFloat((127 + exponent - bits) << 23);
    return roundEven(x * per_step) * step;
}
