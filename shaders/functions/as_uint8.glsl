// x modulo 2^8, as 8 bits keep it
float as_uint8(float x) {
    return x - 256.0 * floor(x * 0.00390625);
}
