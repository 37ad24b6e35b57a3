// Abs: y = |x|

float unary(float x) {
    return abs(x);
}
