// y[n,o,z,y,x] = b[o] + Σ_{i,p,q,r} x[n, g·I + i, z·s − pad + p·d, y·s − pad + q·d, x·s − pad + r·d] · w[o,i,p,q,r],
// g = o / (O / groups)
//
// A tensor of five axes is seen with its first two folded into one: x at n·C + c, w at o·I + i.

float compute(ivec4 at) {
    int n = at.x / OUTPUT_CHANNELS;
    int o = at.x % OUTPUT_CHANNELS;
    int first_channel = n * CHANNELS + (o / OUTPUTS_PER_GROUP) * CHANNELS_PER_GROUP;
    ivec3 origin = at.yzw * ivec3(STRIDE_Z, STRIDE_Y, STRIDE_X) - ivec3(PAD_FRONT, PAD_TOP, PAD_LEFT);
    float sum = 0.0;

    for (int i = 0; i < CHANNELS_PER_GROUP; i++) {
        for (int p = 0; p < KERNEL_Z; p++) {
            int z = origin.x + p * DILATION_Z;
            if (z < 0 || z >= X_shape.y) continue;

            for (int q = 0; q < KERNEL_Y; q++) {
                int y = origin.y + q * DILATION_Y;
                if (y < 0 || y >= X_shape.z) continue;

                for (int r = 0; r < KERNEL_X; r++) {
                    int x = origin.z + r * DILATION_X;
                    if (x < 0 || x >= X_shape.w) continue;
                    sum += X(ivec4(first_channel + i, z, y, x)) * W(ivec4(o * CHANNELS_PER_GROUP + i, p, q, r));
                }
            }
        }
    }
#ifdef HAS_B
    sum += B(ivec4(0, 0, 0, o));
#endif
    return sum;
}
