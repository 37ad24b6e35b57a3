// Pow: y = a^b

float binary(float a, float b) {
    return power(a, b);
}
