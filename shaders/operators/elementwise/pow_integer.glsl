// Pow of integers: y = a^b, towards zero

float binary(float a, float b) {
    return trunc(power(a, b));
}
