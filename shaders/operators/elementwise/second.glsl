// Second: the newer of two, y = b

float binary(float a, float b) {
    return b;
}
