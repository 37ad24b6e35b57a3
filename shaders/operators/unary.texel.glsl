// y[n,c,h,w] = f(x[n,c,h,w]),  x in the lane and texel of y

float compute_here(int lane) {
    return unary(X_here(lane));
}
