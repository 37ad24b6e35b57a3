// Atanh: y = ½·ln((1 + x) / (1 − x)), odd

float unary(float x) {
    float size = abs(x);
    float y = 0.5 * log1p(2.0 * size / (1.0 - size));
    return x < 0.0 ? -y : y;
}
