// x^y: by repeated squaring for whole |y| ≤ 64, otherwise e^(y·ln |x|); NaN for finite x < 0 and a fraction y
float power(float x, float y) {
    bool whole = y == floor(y);
    if (whole && abs(y) <= 64.0) {
        float product = 1.0;
        float square = x;
        for (int left = int(abs(y)); left > 0; left >>= 1) {
            if ((left & 1) == 1) product *= square;
            square *= square;
        }
        return y < 0.0 ? 1.0 / product : product;
    }
    if (x == 1.0 || (x == -1.0 && is_infinite(y))) return 1.0;
    if (x < 0.0 && !whole && !is_infinite(x)) return uintBitsToFloat(0x7fc00000u);
    float size = exp(y * ln(abs(x)));
    return x < 0.0 && y - 2.0 * floor(y * 0.5) == 1.0 ? -size : size;
}
