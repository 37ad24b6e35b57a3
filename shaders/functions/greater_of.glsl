// max(a, b), NaN if one of them is; max() may drop it
float greater_of(float a, float b) {
    return is_nan(a) ? a : is_nan(b) ? b : max(a, b);
}
