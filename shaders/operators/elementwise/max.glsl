// Max: y = max(a, b), NaN if one is

float binary(float a, float b) {
    return greater_of(a, b);
}
