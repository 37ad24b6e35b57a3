// Equal: y = 1 where a = b, else 0

float binary(float a, float b) {
    return a == b ? 1.0 : 0.0;
}
