// How many taps of a window that begins at `origin` lie before `end`
int taps_before(int end, int origin, int kernel, int dilation) {
    return min(kernel, (end - origin + dilation - 1) / dilation);
}
