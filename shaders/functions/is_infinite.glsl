bool is_infinite(float x) {
    return (floatBitsToUint(x) & 0x7fffffffu) == 0x7f800000u;
}
