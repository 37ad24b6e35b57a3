// Log: y = ln x

float unary(float x) {
    return ln(x);
}
