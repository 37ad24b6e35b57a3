// The picture of linear light as video has it: the inverse of to_linear.glsl.
vec4 hook() {
    return delinearize(LINEAR_tex(LINEAR_pos));
}
