// Cast to an integer: y = x without its fraction

float unary(float x) {
    return trunc(x);
}
