// Ceil: y = ⌈x⌉

float unary(float x) {
    return ceil(x);
}
