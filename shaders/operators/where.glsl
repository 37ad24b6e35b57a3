// y[n,c,h,w] = condition[…] ? a[…] : b[…], axes of size 1 repeated

float compute(ivec4 at) {
    float a = A(min(at, A_shape - 1));
    float b = B(min(at, B_shape - 1));
    return CONDITION(min(at, CONDITION_shape - 1)) != 0.0 ? a : b;
}
