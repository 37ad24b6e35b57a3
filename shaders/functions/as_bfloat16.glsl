// The nearest bfloat16, ties to even: the upper half of the bits
float as_bfloat16(float x) {
    uint bits = floatBitsToUint(x);
    return is_nan(x) ? x : uintBitsToFloat((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
}
