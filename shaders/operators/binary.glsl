// y[n,c,h,w] = f(a[…], b[…]), axes of size 1 repeated

float compute(ivec4 at) {
    return binary(A(min(at, A_shape - 1)), B(min(at, B_shape - 1)));
}
