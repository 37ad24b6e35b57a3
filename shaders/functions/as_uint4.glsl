// x modulo 2^4, as 4 bits keep it
float as_uint4(float x) {
    return x - 16.0 * floor(x * 0.0625);
}
