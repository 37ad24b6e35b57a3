// x modulo 2^16, from −32768 on, as 16 bits in two's complement keep it
float as_int16(float x) {
    return x - 65536.0 * floor((x + 32768.0) * 1.52587890625e-05);
}
