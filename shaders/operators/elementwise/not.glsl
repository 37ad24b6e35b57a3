// Not: y = 1 − x of a truth value

float unary(float x) {
    return x == 0.0 ? 1.0 : 0.0;
}
