// LeakyRelu: y = x for x ≥ 0, α·x below

float unary(float x) {
    return x < 0.0 ? ALPHA * x : x;
}
