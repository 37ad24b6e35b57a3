// y[n,o,y,x] = b[o] + Σ_{i,p,q} x[n, g·I + i, y·s − pad + p·d, x·s − pad + q·d] · w[o,i,p,q],  g = o / (O / groups)

float compute(ivec4 at) {
    int first_channel = (at.y / OUTPUTS_PER_GROUP) * W_shape.y;
    ivec2 origin = at.zw * ivec2(STRIDE_Y, STRIDE_X) - ivec2(PAD_TOP, PAD_LEFT);
    float sum = 0.0;

    for (int i = 0; i < W_shape.y; i++) {
        for (int p = 0; p < W_shape.z; p++) {
            int y = origin.x + p * DILATION_Y;
            if (y < 0 || y >= X_shape.z) continue;

            for (int q = 0; q < W_shape.w; q++) {
                int x = origin.y + q * DILATION_X;
                if (x < 0 || x >= X_shape.w) continue;
                sum += X(ivec4(at.x, first_channel + i, y, x)) * W(ivec4(at.y, i, p, q));
            }
        }
    }
#ifdef HAS_B
    sum += B(ivec4(0, 0, 0, at.y));
#endif
    return sum;
}
