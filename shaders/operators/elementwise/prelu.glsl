// PRelu: y = a for a ≥ 0, b·a below

float binary(float a, float b) {
    return a < 0.0 ? b * a : a;
}
