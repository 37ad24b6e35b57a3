// y[n,c,h,w] = condition[…] ? a[…] : b[…], axes of size 1 repeated;  one of them in the lane and texel of y

float compute_here(int lane) {
    float a = A_here(lane);
    float b = B_here(lane);
    return CONDITION_here(lane) != 0.0 ? a : b;
}
