// x modulo 2^8, from −128 on, as 8 bits in two's complement keep it
float as_int8(float x) {
    return x - 256.0 * floor((x + 128.0) * 0.00390625);
}
