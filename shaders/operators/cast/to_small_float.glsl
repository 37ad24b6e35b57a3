// Cast to a float of 4 or 8 bits: the nearest, ties to even; beyond the largest that one, or (not saturating) BEYOND

float unary(float x) {
    if (is_nan(x)) return FOR_NAN;
    float y = round_to_bits(x, BITS, LEAST_EXPONENT);
    if (abs(y) <= LARGEST) return y;
    float size = SATURATE ? LARGEST : BEYOND;
    return x < 0.0 ? -size : size;
}
