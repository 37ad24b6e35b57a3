// y[n,c,y,x] = result over all p, q of x[n, c, y·s − pad + p·d, x·s − pad + q·d] inside the input
//
// A pool says start(), see(x, place) for each element, end_row(), and result(channel, taps), where `taps` counts
// those on padding too.

float compute(ivec4 at) {
    ivec2 origin = at.zw * ivec2(STRIDE_Y, STRIDE_X) - ivec2(PAD_TOP, PAD_LEFT);
    start();

    for (int p = 0; p < KERNEL_Y; p++) {
        int y = origin.x + p * DILATION_Y;
        if (y < 0 || y >= X_shape.z) continue;

        for (int q = 0; q < KERNEL_X; q++) {
            int x = origin.y + q * DILATION_X;
            if (x < 0 || x >= X_shape.w) continue;
            see(X(ivec4(at.xy, y, x)), ivec3(0, y, x));
        }
        end_row();
    }

    int rows = taps_before(X_shape.z + PAD_BOTTOM, origin.x, KERNEL_Y, DILATION_Y);
    int columns = taps_before(X_shape.w + PAD_RIGHT, origin.y, KERNEL_X, DILATION_X);
    return result(at.x * X_shape.y + at.y, rows * columns);
}
