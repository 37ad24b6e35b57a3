// Neg: y = −x

float unary(float x) {
    return -x;
}
