// y[n,c,h,w] = x_j[n,c,h,w] with start_j taken from the place on the axis,  for the input j with start_j ≤ place < end_j
//
// Four channels at a time: inputs begin at a whole group of channels, or are joined along another axis.

vec4 compute4(ivec4 at) {
    int which = 0;
    int start = 0;
    while (at[AXIS] >= ENDS[which]) start = ENDS[which++];
    at[AXIS] -= start;
    return X_group_of(which, at.x, at.y / 4, at.z, at.w);
}
