// RGB of luma and chroma, as in luma.glsl and chroma.glsl; a plane that a shader moved is moved back.
vec4 hook() {
    float y = LUMA_tex(LUMA_pos + LUMA_shift * LUMA_pt).x;
    vec2 c = CHROMA_tex(CHROMA_pos + CHROMA_shift * CHROMA_pt).xy - 0.5;
    float r = y + 1.5748 * c.y, b = y + 1.8556 * c.x;
    return vec4(r, (y - 0.2126 * r - 0.0722 * b) / 0.7152, b, 1.0);
}
