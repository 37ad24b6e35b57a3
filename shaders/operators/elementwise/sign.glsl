// Sign: y = −1, 0 or 1

float unary(float x) {
    return is_nan(x) ? x : sign(x);
}
