// y[n,c,h,w] = Σ_{k,l} A_h[h,k]·A_w[w,l] · x[n, c, I_h[h,k], I_w[w,l]]
//
// Four channels at a time. TABLE has a column for each place of each axis: the element I of tap t in row 2t, its weight A
// in row 2t + 1. An axis that starts at column −1 is copied. An element of −1 marks a place outside the region to resize.

int element(int axis, int place, int tap) {
    return FIRST_COLUMN[axis] < 0 ? place : int(TABLE(ivec4(0, 0, 2 * tap, FIRST_COLUMN[axis] + place)));
}

float weight(int axis, int place, int tap) {
    return FIRST_COLUMN[axis] < 0 ? 1.0 : TABLE(ivec4(0, 0, 2 * tap + 1, FIRST_COLUMN[axis] + place));
}

vec4 compute4(ivec4 at) {
    if (element(2, at.z, 0) < 0 || element(3, at.w, 0) < 0) return vec4(EXTRAPOLATION);

    vec4 sum_h = vec4(0.0);
    for (int k = 0; k < TAPS[2]; k++) {
        vec4 sum_w = vec4(0.0);
        for (int l = 0; l < TAPS[3]; l++)
            sum_w += weight(3, at.w, l) * X_group(at.x, at.y / 4, element(2, at.z, k), element(3, at.w, l));
        sum_h += weight(2, at.z, k) * sum_w;
    }
    return sum_h;
}
