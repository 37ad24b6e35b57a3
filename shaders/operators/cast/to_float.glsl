// Cast to a float type: y = x, which storing rounds

float unary(float x) {
    return x;
}
