// min(a, b), NaN if one of them is; min() may drop it
float lesser_of(float a, float b) {
    return is_nan(a) ? a : is_nan(b) ? b : min(a, b);
}
