// x modulo 2^2, from −2 on, as 2 bits in two's complement keep it
float as_int2(float x) {
    return x - 4.0 * floor((x + 2.0) * 0.25);
}
