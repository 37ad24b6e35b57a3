// y[n,o,y,x] = b[o] + Σ_{i,p,q} x[n, g·I + i, (y + pad − p·d) / s, (x + pad − q·d) / s] · w[g·I + i, o mod O', p, q]
// over the taps p, q for which the division is exact and the place lies inside x;  O' = O / groups, g = o div O'

float compute(ivec4 at) {
    ivec2 place = at.zw + ivec2(PAD_TOP, PAD_LEFT);
    int first_p = first_tap(place.x, STEP_Y, STRIDE_Y, DILATION_Y, KERNEL_Y);
    int first_q = first_tap(place.y, STEP_X, STRIDE_X, DILATION_X, KERNEL_X);
    int first_channel = at.y / OUTPUTS_PER_GROUP * CHANNELS_PER_GROUP;
    float sum = 0.0;

    for (int i = first_channel; i < first_channel + CHANNELS_PER_GROUP; i++) {
        for (int a = 0; a < TAPS_Y; a++) {
            int p = first_p + a * STEP_Y;
            int y = place.x - p * DILATION_Y;
            if (p >= KERNEL_Y || y < 0 || y >= X_shape.z * STRIDE_Y) continue;

            for (int b = 0; b < TAPS_X; b++) {
                int q = first_q + b * STEP_X;
                int x = place.y - q * DILATION_X;
                if (q >= KERNEL_X || x < 0 || x >= X_shape.w * STRIDE_X) continue;
                sum += X(ivec4(at.x, i, y / STRIDE_Y, x / STRIDE_X)) * W(ivec4(i, at.y % OUTPUTS_PER_GROUP, p, q));
            }
        }
    }
#ifdef HAS_B
    sum += B(ivec4(0, 0, 0, at.y));
#endif
    return sum;
}
