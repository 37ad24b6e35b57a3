// Reads weights packed for dispatches that multiply matrices.

layout(std430, binding = 0) readonly buffer Weights { vec4 b_W[]; }; // [parity, tap, channel of x, group of y]

// Four weights of channel `c` of k, for a group of y; zero beyond the last of either.
vec4 weight_of(int first_tap, int k, int c, int group, int end) {
    return k < end && group < u_y.w ? b_W[((first_tap * u_x.w + k) * 4 + c) * u_y.w + group] : vec4(0.0);
}
