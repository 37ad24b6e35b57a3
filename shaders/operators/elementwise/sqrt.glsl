// Sqrt: y = √x, NaN below 0

float unary(float x) {
    return square_root(x);
}
