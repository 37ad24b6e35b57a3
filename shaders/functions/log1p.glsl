// ln(1 + x), accurate near 0 too: there the sum 1 + x, which would lose x's last bits, is never made
float log1p(float x) {
    return x > -0.29289 && x < 0.41421 ? x + mantissa_ln(x) : ln(1.0 + x);
}
