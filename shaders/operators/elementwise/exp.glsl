// Exp: y = e^x

float unary(float x) {
    return exp(x);
}
