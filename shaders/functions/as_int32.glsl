// x modulo 2^32, from −2147483648 on, as 32 bits in two's complement keep it
float as_int32(float x) {
    return x - 4294967296.0 * floor(x * 2.3283064365386963e-10 + 0.5);
}
