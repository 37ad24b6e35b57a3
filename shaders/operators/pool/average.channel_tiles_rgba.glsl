// AveragePool: y[n,c,y,x] = Σ x[n, c, y·s − pad + p·d, x·s − pad + q·d] / k over all p, q inside the input, for k elements
// there, or k taps inside the input and its padding
//
// Four channels at a time. Rows are summed by themselves: rounding then grows with their length and number, not with the
// product.

vec4 compute4(ivec4 at) {
    ivec2 origin = at.zw * ivec2(STRIDE_Y, STRIDE_X) - ivec2(PAD_TOP, PAD_LEFT);
    vec4 sum = vec4(0.0);
    int count = 0;

    for (int p = 0; p < KERNEL_Y; p++) {
        int y = origin.x + p * DILATION_Y;
        if (y < 0 || y >= X_shape.z) continue;
        vec4 row = vec4(0.0);

        for (int q = 0; q < KERNEL_X; q++) {
            int x = origin.y + q * DILATION_X;
            if (x < 0 || x >= X_shape.w) continue;
            row += X_group(at.x, at.y / 4, y, x);
            count++;
        }
        sum += row;
    }
    if (!COUNT_PADDING) return sum / float(count);
    int rows = taps_before(X_shape.z + PAD_BOTTOM, origin.x, KERNEL_Y, DILATION_Y);
    int columns = taps_before(X_shape.w + PAD_RIGHT, origin.y, KERNEL_X, DILATION_X);
    return sum / float(rows * columns);
}
