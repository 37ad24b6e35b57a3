// The first tap for which (place − tap·dilation) / stride is exact, and every `step`-th after it; `kernel` if none is
int first_tap(int place, int step, int stride, int dilation, int kernel) {
    for (int tap = 0; tap < step; tap++)
        if ((place - tap * dilation) % stride == 0) return tap;
    return kernel;
}
