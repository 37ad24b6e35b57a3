// Round: the nearest whole number, ties to even

float unary(float x) {
    return roundEven(x);
}
