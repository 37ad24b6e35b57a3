// Cos: y = cos x

float unary(float x) {
    return cosine(x);
}
