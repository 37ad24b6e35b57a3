// Asinh: y = ln(x + √(x² + 1)), odd, written so that nothing cancels near 0

float unary(float x) {
    float size = abs(x);
    float s = size * size;
    float y = size > 1e9 ? ln(size) + 0.6931471806 : log1p(size + s / (1.0 + sqrt(1.0 + s)));
    return x < 0.0 ? -y : y;
}
