// Wraps the reads of a sampler of slices as `reads.glsl` does. `TAP_SAMPLER` is its type, `TAP_VEC4` that of its texels;
// `TAP_SLICE` is the slice of a position in a texture of that size, and `TAP_OFFSET` the offset that a read has.

highp TAP_VEC4 tap_texelFetch(
    highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp ivec3 at, highp int lod
) {
    highp TAP_VEC4 value = texelFetch(s, at, lod);
    tap_record(id, site, lanes, tap_stacked(vec2(at.xy) + 0.5, float(at.z), textureSize(s, 0)), vec4(value));
    return value;
}

highp TAP_VEC4 tap_texelFetchOffset(
    highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp ivec3 at, highp int lod,
    highp TAP_OFFSET by
) {
    return tap_texelFetch(id, site, lanes, s, at + TAP_BY(by), lod);
}

highp TAP_VEC4 tap_texture(highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp vec3 at) {
    highp TAP_VEC4 value = textureLod(s, at, 0.0);
    highp ivec3 size = textureSize(s, 0);
    tap_record(id, site, lanes, tap_stacked(at.xy * vec2(size.xy), TAP_SLICE(at, size), size), vec4(value));
    return value;
}

highp TAP_VEC4 tap_textureLod(
    highp int id, highp int site, highp int lanes, highp TAP_SAMPLER s, highp vec3 at, highp float lod
) {
    return tap_texture(id, site, lanes, s, at);
}
