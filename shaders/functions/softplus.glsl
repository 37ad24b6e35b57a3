// ln(1 + e^x) without overflow
float softplus(float x) {
    return is_nan(x) ? x : max(x, 0.0) + log1p(exp(-abs(x)));
}
