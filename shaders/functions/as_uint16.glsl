// x modulo 2^16, as 16 bits keep it
float as_uint16(float x) {
    return x - 65536.0 * floor(x * 1.52587890625e-05);
}
