// Mul: y = a · b

float binary(float a, float b) {
    return a * b;
}
