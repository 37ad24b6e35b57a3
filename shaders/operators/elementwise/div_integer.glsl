// Div of integers: y = a / b, towards zero; 0 for b = 0

float binary(float a, float b) {
    if (b == 0.0) return 0.0;
    int quotient = int(abs(a)) / int(abs(b));
    return float((a < 0.0) == (b < 0.0) ? quotient : -quotient);
}
