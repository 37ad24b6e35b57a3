// y[n,c,h,w] = f(a[…], b[…]), axes of size 1 repeated;  a or b in the lane and texel of y

float compute_here(int lane) {
    return binary(A_here(lane), B_here(lane));
}
