// Sin: y = sin x

float unary(float x) {
    return sine(x);
}
