// Chroma at the size of luma, sampled linearly; if a shader moved it, it is moved back.
vec4 hook() {
    return CHROMA_tex(CHROMA_pos + CHROMA_shift * CHROMA_pt);
}
