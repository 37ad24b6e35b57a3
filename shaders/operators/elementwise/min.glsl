// Min: y = min(a, b), NaN if one is

float binary(float a, float b) {
    return lesser_of(a, b);
}
