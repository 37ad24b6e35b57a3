// √x, NaN below 0 where sqrt() is undefined
float square_root(float x) {
    return x < 0.0 ? uintBitsToFloat(0x7fc00000u) : sqrt(x);
}
