// Tan: y = sin x / cos x

float unary(float x) {
    return sine(x) / cosine(x);
}
