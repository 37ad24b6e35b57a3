// y[n,c,z,y,x] = result over all p, q, r of x[n, c, z·s − pad + p·d, y·s − pad + q·d, x·s − pad + r·d] inside the input
//
// A pool says start(), see(x, place) for each element, end_row(), and result(channel, taps), where `taps` counts
// those on padding too. A tensor of five axes is seen with its first two folded into one: at.x = n·C + c.

float compute(ivec4 at) {
    ivec3 origin = at.yzw * ivec3(STRIDE_Z, STRIDE_Y, STRIDE_X) - ivec3(PAD_FRONT, PAD_TOP, PAD_LEFT);
    start();

    for (int p = 0; p < KERNEL_Z; p++) {
        int z = origin.x + p * DILATION_Z;
        if (z < 0 || z >= X_shape.y) continue;

        for (int q = 0; q < KERNEL_Y; q++) {
            int y = origin.y + q * DILATION_Y;
            if (y < 0 || y >= X_shape.z) continue;

            for (int r = 0; r < KERNEL_X; r++) {
                int x = origin.z + r * DILATION_X;
                if (x < 0 || x >= X_shape.w) continue;
                see(X(ivec4(at.x, z, y, x)), ivec3(z, y, x));
            }
            end_row();
        }
    }

    int planes = taps_before(X_shape.y + PAD_BACK, origin.x, KERNEL_Z, DILATION_Z);
    int rows = taps_before(X_shape.z + PAD_BOTTOM, origin.y, KERNEL_Y, DILATION_Y);
    int columns = taps_before(X_shape.w + PAD_RIGHT, origin.z, KERNEL_X, DILATION_X);
    return result(at.x, planes * rows * columns);
}
