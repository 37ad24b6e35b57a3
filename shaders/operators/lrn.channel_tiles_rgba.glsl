// y[n,c,h,w] = x[n,c,h,w] / (bias + scale · Σ_j x[n,j,h,w]²)^β,  j from c − before to c − before + window − 1 inside the axis
//
// Four channels at a time: each group of channels is read once for all four windows.

vec4 compute4(ivec4 at) {
    int first = max(at.y - BEFORE, 0) / 4;
    int last = min(at.y + 3 - BEFORE + WINDOW - 1, CHANNELS - 1) / 4;
    vec4 sum = vec4(0.0);

    for (int group = first; group <= last; group++) {
        vec4 x = X_group(at.x, group, at.z, at.w);
        for (int k = 0; k < 4; k++) {
            int j = 4 * group + k;
            if (j >= CHANNELS) break;
            for (int lane = 0; lane < 4; lane++) {
                int tap = j - (at.y + lane - BEFORE);
                if (tap >= 0 && tap < WINDOW) sum[lane] += x[k] * x[k];
            }
        }
    }

    vec4 y = X_group(at.x, at.y / 4, at.z, at.w);
    for (int lane = 0; lane < 4; lane++) y[lane] /= power(BIAS + SCALE * sum[lane], BETA);
    return y;
}
