// x modulo 2^32, as 32 bits keep it
float as_uint32(float x) {
    return x - 4294967296.0 * floor(x * 2.3283064365386963e-10);
}
