// Selu: y = γ·x for x > 0, γ·α·(e^x − 1) below

float unary(float x) {
    return x < 0.0 ? GAMMA * (ALPHA * expm1(x)) : GAMMA * x;
}
