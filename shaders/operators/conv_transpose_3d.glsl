// y[n,o,z,y,x] = b[o] + Σ_{i,p,q,r} x[n, g·I + i, (z + pad − p·d) / s, (y + pad − q·d) / s, (x + pad − r·d) / s]
//                                   · w[g·I + i, o mod O', p, q, r]
// over the taps p, q, r for which the division is exact and the place lies inside x;  O' = O / groups, g = o div O'
//
// A tensor of five axes is seen with its first two folded into one: x at n·C + c, w at c·O' + o.

float compute(ivec4 at) {
    int n = at.x / OUTPUT_CHANNELS;
    int o = at.x % OUTPUT_CHANNELS;
    int first_channel = o / OUTPUTS_PER_GROUP * CHANNELS_PER_GROUP;
    ivec3 stride = ivec3(STRIDE_Z, STRIDE_Y, STRIDE_X);
    ivec3 end = X_shape.yzw * stride;
    ivec3 place = at.yzw + ivec3(PAD_FRONT, PAD_TOP, PAD_LEFT);
    float sum = 0.0;

    for (int i = first_channel; i < first_channel + CHANNELS_PER_GROUP; i++) {
        for (int p = 0; p < KERNEL_Z; p++) {
            int z = place.x - p * DILATION_Z;
            if (z < 0 || z >= end.x || z % STRIDE_Z != 0) continue;

            for (int q = 0; q < KERNEL_Y; q++) {
                int y = place.y - q * DILATION_Y;
                if (y < 0 || y >= end.y || y % STRIDE_Y != 0) continue;

                for (int r = 0; r < KERNEL_X; r++) {
                    int x = place.z - r * DILATION_X;
                    if (x < 0 || x >= end.z || x % STRIDE_X != 0) continue;
                    sum += X(ivec4(n * CHANNELS + i, ivec3(z, y, x) / stride))
                         * W(ivec4(i * OUTPUTS_PER_GROUP + o % OUTPUTS_PER_GROUP, p, q, r));
                }
            }
        }
    }
#ifdef HAS_B
    sum += B(ivec4(0, 0, 0, o));
#endif
    return sum;
}
