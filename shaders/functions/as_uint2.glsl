// x modulo 2^2, as 2 bits keep it
float as_uint2(float x) {
    return x - 4.0 * floor(x * 0.25);
}
