// Buffer E: what is dead is nothing.
void mainImage(out vec4 O, in vec2 U) {
    ivec2 p = ivec2(U);
    vec4 cell = texelFetch(iChannel0, p, 0);
    p.x %= textureSize(iChannel1, 0).x;
    O = cell * texelFetch(iChannel1, p, 0).r;
}
