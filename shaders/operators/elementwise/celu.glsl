// Celu: y = x for x ≥ 0, α·(e^(x/α) − 1) below

float unary(float x) {
    return x < 0.0 ? ALPHA * expm1(x / ALPHA) : x;
}
