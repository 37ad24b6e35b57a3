// Cast to bool: y = 1 unless x = 0

float unary(float x) {
    return x == 0.0 ? 0.0 : 1.0;
}
