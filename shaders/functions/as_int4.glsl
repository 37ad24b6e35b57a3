// x modulo 2^4, from −8 on, as 4 bits in two's complement keep it
float as_int4(float x) {
    return x - 16.0 * floor((x + 8.0) * 0.0625);
}
