// y[n,c,h,w] = Σ_{i,j,k,l} A_n[n,i]·A_c[c,j]·A_h[h,k]·A_w[w,l] · x[I_n[n,i], I_c[c,j], I_h[h,k], I_w[w,l]]
//
// TABLE has a column for each place of each axis: the element I of tap t in row 2t, its weight A in row 2t + 1.
// An axis that starts at column −1 is copied. An element of −1 marks a place outside the region to resize.

int element(int axis, int place, int tap) {
    return FIRST_COLUMN[axis] < 0 ? place : int(TABLE(ivec4(0, 0, 2 * tap, FIRST_COLUMN[axis] + place)));
}

float weight(int axis, int place, int tap) {
    return FIRST_COLUMN[axis] < 0 ? 1.0 : TABLE(ivec4(0, 0, 2 * tap + 1, FIRST_COLUMN[axis] + place));
}

float compute(ivec4 at) {
    if (element(0, at.x, 0) < 0 || element(1, at.y, 0) < 0 || element(2, at.z, 0) < 0 || element(3, at.w, 0) < 0)
        return EXTRAPOLATION;

    float sum_n = 0.0;
    for (int i = 0; i < TAPS[0]; i++) {
        float sum_c = 0.0;
        for (int j = 0; j < TAPS[1]; j++) {
            float sum_h = 0.0;
            for (int k = 0; k < TAPS[2]; k++) {
                float sum_w = 0.0;
                for (int l = 0; l < TAPS[3]; l++) {
                    ivec4 from = ivec4(element(0, at.x, i), element(1, at.y, j), element(2, at.z, k), element(3, at.w, l));
                    sum_w += weight(3, at.w, l) * X(from);
                }
                sum_h += weight(2, at.z, k) * sum_w;
            }
            sum_c += weight(1, at.y, j) * sum_h;
        }
        sum_n += weight(0, at.x, i) * sum_c;
    }
    return sum_n;
}
