// Swish: y = x · sigmoid(α·x)

float unary(float x) {
    return x * sigmoid(ALPHA * x);
}
