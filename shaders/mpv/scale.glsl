// The picture at the size of the window, sampled linearly; if a shader moved it, it is moved back.
vec4 hook() {
    return PREKERNEL_tex(PREKERNEL_pos + PREKERNEL_shift * PREKERNEL_pt);
}
