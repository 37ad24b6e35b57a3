// Or of truth values

float binary(float a, float b) {
    return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
}
