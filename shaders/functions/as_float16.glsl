// The nearest float16, ties to even; infinite from 65520 on
float as_float16(float x) {
    float y = round_to_bits(x, 10, -14);
    return abs(y) > 65504.0 ? uintBitsToFloat((floatBitsToUint(x) & 0x80000000u) | 0x7f800000u) : y;
}
