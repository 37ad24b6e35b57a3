// The picture as it is.
vec4 hook() {
    return MAIN_tex(MAIN_pos);
}
