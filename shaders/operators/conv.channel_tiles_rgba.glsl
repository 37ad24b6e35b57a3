// y[n,o,y,x] = b[o] + Σ_{i,p,q} x[n, g·I + i, y·s − pad + p·d, x·s − pad + q·d] · w[o,i,p,q],  g = o / (O / groups)
//
// Four outputs at a time from four inputs at a time: five reads for sixteen products. There is one group, or a group's
// inputs and outputs come in fours.

// Lanes beyond the last channel hold no data.
vec4 of_channels(vec4 lanes, int channels) {
    return vec4(lanes.x, channels > 1 ? lanes.y : 0.0, channels > 2 ? lanes.z : 0.0, channels > 3 ? lanes.w : 0.0);
}

vec4 compute4(ivec4 at) {
    int first = at.y / OUTPUTS_PER_GROUP * CHANNELS_PER_GROUP / 4;
    ivec4 o = min(at.y + ivec4(0, 1, 2, 3), OUTPUT_CHANNELS - 1);
    ivec2 origin = at.zw * ivec2(STRIDE_Y, STRIDE_X) - ivec2(PAD_TOP, PAD_LEFT);
    vec4 sum = vec4(0.0);

    for (int i = 0; 4 * i < CHANNELS_PER_GROUP; i++) {
        int channels = CHANNELS_PER_GROUP - 4 * i;

        for (int p = 0; p < KERNEL_Y; p++) {
            int y = origin.x + p * DILATION_Y;
            if (y < 0 || y >= X_shape.z) continue;

            for (int q = 0; q < KERNEL_X; q++) {
                int x = origin.y + q * DILATION_X;
                if (x < 0 || x >= X_shape.w) continue;
                vec4 v = of_channels(X_group(at.x, first + i, y, x), channels);
                sum.x += dot(v, of_channels(W_group(o.x, i, p, q), channels));
                sum.y += dot(v, of_channels(W_group(o.y, i, p, q), channels));
                sum.z += dot(v, of_channels(W_group(o.z, i, p, q), channels));
                sum.w += dot(v, of_channels(W_group(o.w, i, p, q), channels));
            }
        }
    }
#ifdef HAS_B
    for (int lane = 0; lane < 4; lane++) sum[lane] += B(ivec4(0, 0, 0, o[lane]));
#endif
    return sum;
}
