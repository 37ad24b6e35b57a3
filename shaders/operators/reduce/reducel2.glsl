// ReduceL2: y = √Σ_k x_k²; the whole part for integers

float compute(ivec4 at) {
    int first = first_of(Y_index(at));
    float sum = 0.0;
    for (int k = 0; k < REDUCED_COUNT; k++) {
        float x = X_linear(first + place_of(k));
        sum += x * x;
    }
    float root = sqrt(sum);
    if (!INTEGER) return root;
    root = floor(root + 0.5);
    return root * root > sum ? root - 1.0 : root;
}
