// Image: premultiplied colour on white paper.
void mainImage(out vec4 O, in vec2 U) {
    vec4 c = texelFetch(iChannel0, ivec2(U), 0);
    vec3 paper = vec3(1);
    O = vec4(clamp(c.rgb + (1. - c.a) * paper, 0., 1.), 1);
}
