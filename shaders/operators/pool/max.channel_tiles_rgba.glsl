// MaxPool: y[n,c,y,x] = max over all p, q of x[n, c, y·s − pad + p·d, x·s − pad + q·d] inside the input, a NaN only where
// there is nothing else
//
// Four channels at a time.

vec4 compute4(ivec4 at) {
    ivec2 origin = at.zw * ivec2(STRIDE_Y, STRIDE_X) - ivec2(PAD_TOP, PAD_LEFT);
    bool seen = false;
    vec4 largest = vec4(LOWEST);

    for (int p = 0; p < KERNEL_Y; p++) {
        int y = origin.x + p * DILATION_Y;
        if (y < 0 || y >= X_shape.z) continue;

        for (int q = 0; q < KERNEL_X; q++) {
            int x = origin.y + q * DILATION_X;
            if (x < 0 || x >= X_shape.w) continue;
            vec4 v = X_group(at.x, at.y / 4, y, x);
            for (int lane = 0; lane < 4; lane++)
                if (!seen || v[lane] > largest[lane] || is_nan(largest[lane])) largest[lane] = v[lane];
            seen = true;
        }
    }
    return largest;
}
