// Wraps the reads of a sampler of a buffer as `reads.glsl` does. `TAP_SAMPLER` is its type, `TAP_VEC4` that of its
// texels.

highp TAP_VEC4 tap_texelFetch(highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp int at) {
    highp TAP_VEC4 value = texelFetch(s, at);
    tap_record(id, site, lanes, tap_in_rows(at), vec4(value));
    return value;
}
