// The picture in linear light, as linearize.glsl has it.
vec4 hook() {
    return linearize(MAIN_tex(MAIN_pos));
}
