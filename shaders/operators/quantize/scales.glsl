// Finds an element's scale: one for all, one per slice of an axis, or one per block along it

int scale_of(int index) {
    int a = index / INNER_COUNT % AXIS_COUNT;
    int outer = index / INNER_COUNT / AXIS_COUNT;
    return outer * OUTER_STRIDE + a / BLOCK * AXIS_STRIDE + index % INNER_COUNT * INNER_STRIDE;
}

float zero_point(int which) {
#ifdef HAS_Z
    return Z_linear(which);
#else
    return 0.0;
#endif
}
